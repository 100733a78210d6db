"""`memweaver turns`: what was heard and said."""

from typing import Annotated

import typer

from memweaver.cli.opened import run, settle
from memweaver.cli.options import (
    OWNER,
    AiOption,
    CursorOption,
    JsonOption,
    LimitOption,
    SessionOption,
    UserOption,
    YesOption,
)
from memweaver.cli.output import say, say_fields, say_json, say_table, sure, when
from memweaver.domain.conversation import Turn
from memweaver.domain.scope import Scope
from memweaver.interfaces.rest.cursor import cursor_of, position_of
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.turns import TurnAnswer
from memweaver.services import Services

commands = typer.Typer(no_args_is_help=True)

TurnId = Annotated[str, typer.Argument(help="The id of a turn.")]


@commands.command("list")
def list_turns(
    *,
    session: SessionOption = None,
    limit: LimitOption = 50,
    cursor: CursorOption = None,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    """List turns, latest recorded first."""
    scope, before = Scope(user, ai), position_of(cursor)
    page = run(
        lambda services: services.curate.turns(scope, session=session, before=before, limit=limit)
    )
    following = cursor_of(page.next)
    if as_json:
        say_json(PageAnswer(items=[TurnAnswer.of(it) for it in page.items], next=following))
        return
    say_table(("id", "when", "session", "said"), [row(turn) for turn in page.items])
    if following:
        say(f"more: --cursor {following}")


@commands.command("show")
def show_turn(
    turn_id: TurnId, *, user: UserOption = OWNER, ai: AiOption = None, as_json: JsonOption = False
) -> None:
    """Show a turn."""
    turn = run(lambda services: services.curate.turn(Scope(user, ai), turn_id))
    if as_json:
        say_json(TurnAnswer.of(turn))
        return
    say_fields({**TurnAnswer.of(turn).model_dump(mode="json"), "messages": None})
    for message in turn.messages:
        say(message.spoken)


@commands.command("delete")
def delete_turn(
    turn_id: TurnId, *, yes: YesOption = False, user: UserOption = OWNER, ai: AiOption = None
) -> None:
    """Erase a turn: its words, vectors and job. Memories drawn from it stay."""
    sure(f"Erase turn {turn_id} for good?", yes=yes)

    async def work(services: Services) -> None:
        await services.curate.erase_turn(Scope(user, ai), turn_id)
        await settle(services)

    run(work)
    say(f"erased {turn_id}")


def row(turn: Turn) -> tuple[str, str, str, str]:
    said = "\n".join(message.spoken for message in turn.messages)
    return turn.id, when(turn.at), turn.session, said
