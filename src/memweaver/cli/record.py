"""`memweaver record`: keep what was heard and said."""

from typing import Annotated

import typer

from memweaver.cli.opened import run, settle
from memweaver.cli.options import OWNER, AiOption, AtOption, JsonOption, UserOption
from memweaver.cli.output import say, say_json
from memweaver.domain.conversation import Message, Role, Said, Turn
from memweaver.domain.scope import Scope
from memweaver.interfaces.rest.wire.turns import TurnAnswer
from memweaver.services import Services


def record(
    text: Annotated[str, typer.Argument(help="What was said.")],
    *,
    answer: Annotated[str | None, typer.Option(help="What the assistant answered.")] = None,
    role: Annotated[Role, typer.Option(help="Who said it.")] = Role.USER,
    name: Annotated[str | None, typer.Option(help="The name of who said it.")] = None,
    session: Annotated[str, typer.Option(help="The conversation it belongs to.")] = "default",
    at: AtOption = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="Recording with the same key again changes nothing.")
    ] = None,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    said = Said(messages(text, answer, role, name), session, at)

    async def work(services: Services) -> Turn:
        turn = await services.record(Scope(user, ai), said, idempotency=idempotency_key)
        await settle(services)
        return turn

    turn = run(work)
    say_json(TurnAnswer.of(turn)) if as_json else say(f"recorded {turn.id}")


def messages(text: str, answer: str | None, role: Role, name: str | None) -> tuple[Message, ...]:
    heard = Message(role, text, name)
    return (heard,) if answer is None else (heard, Message(Role.ASSISTANT, answer))
