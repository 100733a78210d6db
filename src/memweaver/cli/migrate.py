"""`memweaver migrate`: bring the database to another schema."""

from typing import Annotated

import typer

from memweaver.app import schema as app_schema
from memweaver.app.settings import load_settings
from memweaver.cli.options import JsonOption, YesOption
from memweaver.cli.output import say, say_json, sure

commands = typer.Typer(invoke_without_command=True)


@commands.callback()
def migrate(
    context: typer.Context,
    *,
    to: Annotated[str | None, typer.Option(help="A schema; the newest if not given.")] = None,
    yes: YesOption = False,
) -> None:
    if context.invoked_subcommand:
        return
    settings = load_settings()
    now = app_schema.schema(settings)
    target = now.newest if to is None else to
    if now.back(target):
        sure(f"Go back from {now.at} to {target}, losing what only newer ones hold?", yes=yes)
    if target == now.at:
        say(f"already at {now.at}")
        return
    say(f"migrated from {now.at} to {app_schema.migrate(settings, target).at}")


@commands.command("status")
def show_status(*, as_json: JsonOption = False) -> None:
    """Show which schema the database has and which ones this program knows."""
    now = app_schema.schema(load_settings())
    if as_json:
        say_json({"at": now.at, "newest": now.newest, "known": list(now.steps)})
    else:
        say(f"at {now.at}, newest {now.newest}, known {', '.join(now.steps)}")
