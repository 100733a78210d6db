"""The commands, one file each."""

from memweaver.cli.program import main as main
