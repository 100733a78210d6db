"""`memweaver memories`: what is remembered."""

from typing import Annotated

import typer

from memweaver.cli.opened import run, settle
from memweaver.cli.options import (
    OWNER,
    AiOption,
    CursorOption,
    JsonOption,
    LimitOption,
    TiersOption,
    UserOption,
    ValidFromOption,
    ValidToOption,
    YesOption,
    tiers,
)
from memweaver.cli.output import say, say_fields, say_json, say_table, sure
from memweaver.domain.memory import Correction, Draft, Memory, Tier, tiers_named
from memweaver.domain.origin import Authority
from memweaver.domain.scope import Scope
from memweaver.interfaces.rest.cursor import cursor_of, position_of
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.memories import MemoryAnswer
from memweaver.services import Services

commands = typer.Typer(no_args_is_help=True)

MemoryId = Annotated[str, typer.Argument(help="The id of a memory.")]
KeyOption = Annotated[str | None, typer.Option("--key", help="Its name in the core tier.")]
ShareOption = Annotated[float | None, typer.Option(help="From 0 to 1.")]


@commands.command("add")
def add_memory(
    text: Annotated[str, typer.Argument(help="What is to be remembered.")],
    *,
    tier: Annotated[str, typer.Option(help="Its tier, or another name of one.")] = Tier.SEMANTIC,
    key: KeyOption = None,
    authority: Annotated[Authority, typer.Option(help="What it may do.")] = Authority.FACT,
    importance: Annotated[float, typer.Option(help="From 0 to 1.")] = 0.5,
    confidence: Annotated[float, typer.Option(help="From 0 to 1.")] = 0.7,
    valid_from: ValidFromOption = None,
    valid_to: ValidToOption = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="Adding with the same key again changes nothing.")
    ] = None,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a memory by hand."""
    draft = Draft(
        text,
        tier=tiers_named(tier)[0],
        key=key,
        authority=authority,
        importance=importance,
        confidence=confidence,
        valid_from=valid_from,
        valid_to=valid_to,
    )

    async def work(services: Services) -> Memory:
        memory = await services.curate.add(Scope(user, ai), draft, idempotency=idempotency_key)
        await settle(services)
        return memory

    tell("remembered", run(work), as_json=as_json)


@commands.command("list")
def list_memories(
    *,
    tier: TiersOption = None,
    limit: LimitOption = 50,
    cursor: CursorOption = None,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    """List memories, latest added first."""
    scope, wanted, before = Scope(user, ai), tiers(tier), position_of(cursor)
    page = run(
        lambda services: services.curate.memories(scope, tiers=wanted, before=before, limit=limit)
    )
    following = cursor_of(page.next)
    if as_json:
        say_json(PageAnswer(items=[MemoryAnswer.of(it) for it in page.items], next=following))
        return
    say_table(("id", "tier", "text"), [(it.id, it.tier, it.spoken) for it in page.items])
    if following:
        say(f"more: --cursor {following}")


@commands.command("show")
def show_memory(
    memory_id: MemoryId,
    *,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a memory, as it is now."""
    memory = MemoryAnswer.of(
        run(lambda services: services.curate.memory(Scope(user, ai), memory_id))
    )
    say_json(memory) if as_json else say_fields(memory.model_dump(mode="json"))


@commands.command("correct")
def correct_memory(
    memory_id: MemoryId,
    *,
    text: Annotated[str | None, typer.Option(help="What is to be remembered instead.")] = None,
    key: KeyOption = None,
    importance: ShareOption = None,
    confidence: ShareOption = None,
    valid_from: ValidFromOption = None,
    valid_to: ValidToOption = None,
    expected_revision: Annotated[
        int | None, typer.Option(help="The revision you saw; a change since is refused.")
    ] = None,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    """Correct a memory; what it said before can still be recalled with --as-of."""
    change = Correction(text, key, importance, confidence, valid_from, valid_to)

    async def work(services: Services) -> Memory:
        memory = await services.curate.correct(
            Scope(user, ai), memory_id, change, expected=expected_revision
        )
        await settle(services)
        return memory

    tell("corrected", run(work), as_json=as_json)


@commands.command("move")
def move_memory(
    memory_id: MemoryId,
    tier: Annotated[str, typer.Argument(help="The tier to put it in, or another name of one.")],
    *,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put a memory into another tier; it keeps its id."""
    target = tiers_named(tier)[0]

    async def work(services: Services) -> Memory:
        memory = await services.curate.move(Scope(user, ai), memory_id, target)
        await settle(services)
        return memory

    tell(f"moved to {target}:", run(work), as_json=as_json)


@commands.command("confirm")
def confirm_memory(
    memory_id: MemoryId,
    *,
    user: UserOption = OWNER,
    ai: AiOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a memory's word for it, as its origin is not you: it leaves quarantine."""

    async def work(services: Services) -> Memory:
        memory = await services.curate.confirm(Scope(user, ai), memory_id)
        await settle(services)
        return memory

    tell("confirmed", run(work), as_json=as_json)


@commands.command("delete")
def delete_memory(
    memory_id: MemoryId, *, yes: YesOption = False, user: UserOption = OWNER, ai: AiOption = None
) -> None:
    """Erase a memory, every revision and every trace of it."""
    sure(f"Erase memory {memory_id} for good?", yes=yes)

    async def work(services: Services) -> None:
        await services.curate.erase(Scope(user, ai), memory_id)
        await settle(services)

    run(work)
    say(f"erased {memory_id}")


def tell(done: str, memory: Memory, *, as_json: bool) -> None:
    say_json(MemoryAnswer.of(memory)) if as_json else say(f"{done} {memory.id}")
