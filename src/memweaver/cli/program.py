"""`memweaver`: all commands together, and how they end."""

import sys
from dataclasses import dataclass
from importlib import import_module

import typer

from memweaver.cli.errors import exit_code
from memweaver.errors import MemweaverError

RUN, USE, KEEP = "Run it", "Remember and recall", "Look after it"


@dataclass(frozen=True, slots=True)
class Command:
    """What the list of commands says of one.

    Its file, `cli/<name>.py`, has a function of that name or several `commands`. Most files need
    the whole server, which takes seconds to load; hence only that of the called command is.
    """

    name: str
    panel: str
    says: str

    def list_in(self, program: typer.Typer) -> None:
        program.command(self.name, help=self.says, rich_help_panel=self.panel)(lambda: None)

    def load_into(self, program: typer.Typer) -> None:
        module = import_module(f"memweaver.cli.{self.name}")
        if hasattr(module, "commands"):
            program.add_typer(module.commands, name=self.name, help=self.says)
        else:
            program.command(self.name, help=self.says)(getattr(module, self.name))


COMMANDS = (
    Command("serve", RUN, "Serve this memory over HTTP and Socket.IO until told to stop."),
    Command("worker", RUN, "Reflect on turns in the background until told to stop."),
    Command(
        "doctor",
        RUN,
        "Check settings, keys, database, schema, broker, Redis and models; change nothing.",
    ),
    Command("version", RUN, "Show which version this is."),
    Command("record", USE, "Keep a turn: what was heard and said, verbatim."),
    Command("recall", USE, "Recall what matters for what is being said or asked."),
    Command("memories", USE, "Write, read, correct, move and erase memories."),
    Command("turns", USE, "Read and erase what was heard and said."),
    Command("accounts", KEEP, "Accounts: who logs in with e-mail address and password."),
    Command("users", KEEP, "Users and their API keys."),
    Command("keys", KEEP, "The keys that seal what people said."),
    Command("jobs", KEEP, "The reflection of turns: list, show, retry and drain jobs."),
    Command("embed", KEEP, "The vectors of what is remembered."),
    Command("migrate", KEEP, "Bring the database to the newest schema, or to another."),
)


def program(*called: str) -> typer.Typer:
    """All commands, of which those `called` can be run and the others are only listed."""
    whole = typer.Typer(
        name="memweaver",
        help="A long-term memory for AI assistants that belongs to the user.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    for command in COMMANDS:
        if command.name in called:
            command.load_into(whole)
        else:
            command.list_in(whole)
    return whole


def main() -> None:
    """Run a command; an error of ours is one sentence and an exit code."""
    try:
        program(*sys.argv[1:])()
    except MemweaverError as error:
        print(f"memweaver: {error}", file=sys.stderr)  # noqa: T201 - this is where it is said
        sys.exit(exit_code(error))
