"""`memweaver recall`: what is worth knowing for what is being said."""

from typing import Annotated

import typer

from memweaver.cli.opened import run
from memweaver.cli.options import (
    OWNER,
    AiOption,
    AsOfOption,
    JsonOption,
    SessionOption,
    TiersOption,
    UserOption,
    ValidAtOption,
    tiers,
)
from memweaver.cli.output import say, say_json, say_table, when
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Hit
from memweaver.interfaces.rest.wire.recall import RecallAnswer
from memweaver.services import Services
from memweaver.services.recall import Recollection


def recall(
    query: Annotated[str, typer.Argument(help="What is being said or asked.")],
    *,
    limit: Annotated[int | None, typer.Option(help="At most so many hits.")] = None,
    budget: Annotated[int | None, typer.Option(help="Tokens of the context block.")] = None,
    tier: TiersOption = None,
    turns: Annotated[bool, typer.Option(help="Let what was said verbatim answer.")] = True,
    session: SessionOption = None,
    as_of: AsOfOption = None,
    valid_at: ValidAtOption = None,
    context: Annotated[
        bool, typer.Option("--context", help="Show only the block to put before an assistant.")
    ] = False,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    where = Filter(tiers(tier), turns, session, as_of, valid_at)

    async def work(services: Services) -> Recollection:
        return await services.recall(
            Scope(user, ai), query, where=where, limit=limit, budget=budget
        )

    found = run(work)
    if as_json:
        say_json(RecallAnswer.of(found))
    elif context:
        say(found.context)
    elif found.hits:
        say_table(("score", "what", "when", "text"), [row(hit) for hit in found.hits])
    else:
        say("nothing is known about that")


def row(hit: Hit) -> tuple[str, str, str, str]:
    return f"{hit.score:.2f}", hit.tier or hit.speaker or hit.ref.kind, when(hit.at), hit.text
