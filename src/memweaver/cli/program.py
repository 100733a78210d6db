"""`memweaver`: all commands together, and how they end."""

import sys

import typer

from memweaver.cli import (
    embed,
    jobs,
    keys,
    memories,
    migrate,
    recall,
    record,
    serve,
    turns,
    users,
    worker,
)
from memweaver.cli import version as version_command
from memweaver.cli.errors import exit_code
from memweaver.errors import MemweaverError

program = typer.Typer(
    name="memweaver",
    help="A long-term memory for AI assistants that belongs to the user.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
program.command()(serve.serve)
program.command()(worker.worker)
program.command()(record.record)
program.command()(recall.recall)
program.add_typer(memories.commands, name="memories")
program.add_typer(turns.commands, name="turns")
program.add_typer(jobs.commands, name="jobs")
program.add_typer(users.commands, name="users")
program.add_typer(keys.commands, name="keys")
program.add_typer(migrate.commands, name="migrate")
program.add_typer(embed.commands, name="embed")
program.command()(version_command.version)


def main() -> None:
    """Run a command; an error of ours is one sentence and an exit code."""
    try:
        program()
    except MemweaverError as error:
        print(f"memweaver: {error}", file=sys.stderr)  # noqa: T201 - this is where it is said
        sys.exit(exit_code(error))
