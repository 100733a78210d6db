"""`memweaver`: all commands together, and how they end."""

import sys

import typer

from memweaver.cli import (
    accounts,
    doctor,
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
RUN, USE, KEEP = "Run it", "Remember and recall", "Look after it"

program.command(rich_help_panel=RUN)(serve.serve)
program.command(rich_help_panel=RUN)(worker.worker)
program.command(rich_help_panel=RUN)(doctor.doctor)
program.command(rich_help_panel=RUN)(version_command.version)
program.command(rich_help_panel=USE)(record.record)
program.command(rich_help_panel=USE)(recall.recall)
program.add_typer(memories.commands, name="memories", rich_help_panel=USE)
program.add_typer(turns.commands, name="turns", rich_help_panel=USE)
program.add_typer(accounts.commands, name="accounts", rich_help_panel=KEEP)
program.add_typer(users.commands, name="users", rich_help_panel=KEEP)
program.add_typer(keys.commands, name="keys", rich_help_panel=KEEP)
program.add_typer(jobs.commands, name="jobs", rich_help_panel=KEEP)
program.add_typer(embed.commands, name="embed", rich_help_panel=KEEP)
program.add_typer(migrate.commands, name="migrate", rich_help_panel=KEEP)


def main() -> None:
    """Run a command; an error of ours is one sentence and an exit code."""
    try:
        program()
    except MemweaverError as error:
        print(f"memweaver: {error}", file=sys.stderr)  # noqa: T201 - this is where it is said
        sys.exit(exit_code(error))
