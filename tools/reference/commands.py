"""The page of every command, from the program itself."""

from collections.abc import Iterator
from typing import Any

import typer
from tools.reference.markdown import code, sentences, table

from memweaver.cli.program import COMMANDS, program

INTRODUCTION = """\
# Commands

`memweaver COMMAND --help` says the same in the terminal.
The commands open the memory that the [settings](settings.md) name, so no server needs to run.
Those with `--json` answer one line of JSON for programs.
What goes wrong is one sentence on the standard error and an exit code, see [errors](errors.md).
"""


def page() -> str:
    lines = [INTRODUCTION]
    for name, command in all_commands():
        lines += show(name, command)
    return "\n".join(lines)


def all_commands() -> Iterator[tuple[str, Any]]:
    whole = program(*(command.name for command in COMMANDS))
    return commands("memweaver", typer.main.get_command(whole))


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its full name."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield name, command
        return
    for part, child in inner.items():
        yield from commands(f"{name} {part}", child)


def show(name: str, command: Any) -> Iterator[str]:
    yield from [f"## `{name}`", "", *sentences(command.help or "")]
    rows = [row(parameter) for parameter in command.params if parameter.name != "help"]
    if rows:
        yield from table(("argument or option", "default", "meaning"), rows)


def row(parameter: Any) -> tuple[str, str, str]:
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [str(parameter.name).upper()]
    default = "required" if parameter.required else shown_default(parameter.default)
    return ", ".join(code(name) for name in names), default, getattr(parameter, "help", "") or ""


def shown_default(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return code(value) if isinstance(value, str | int | float) else ""
