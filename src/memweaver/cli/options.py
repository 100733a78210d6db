"""Options that several commands share."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from memweaver.domain.memory import Tier, tiers_named
from memweaver.domain.principal import OWNER as OWNER


def moment(text: str) -> datetime:
    """An ISO date or time; without a zone it is this machine's."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(f"`{text}` is not a date or time such as 2026-05-01") from error


def tiers(names: list[str] | None) -> frozenset[Tier] | None:
    """Raises `InvalidFilter`."""
    return frozenset(tier for name in names or () for tier in tiers_named(name)) or None


UserOption = Annotated[str, typer.Option("--user", help="Whose memory it is.")]
AiOption = Annotated[str | None, typer.Option("--ai", help="One of the user's AIs.")]
SessionOption = Annotated[str | None, typer.Option("--session", help="Keep to one session.")]
TiersOption = Annotated[
    list[str] | None, typer.Option("--tier", help="A tier, or another name of one; repeatable.")
]
AtOption = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="TIME", help="When it was said, as an ISO date or time."),
]
AsOfOption = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="TIME", help="What was known then, an ISO date or time."),
]
ValidAtOption = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="TIME", help="What held then in the world."),
]
ValidFromOption = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="TIME", help="Since when it holds in the world."),
]
ValidToOption = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="TIME", help="Until when it holds in the world."),
]
LimitOption = Annotated[int, typer.Option("--limit", help="At most so many.")]
CursorOption = Annotated[str | None, typer.Option("--cursor", help="`next` of the page before.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask whether you are sure.")]
