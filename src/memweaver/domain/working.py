"""Working memory: the recent turns of a session, and what came before them in short."""

from dataclasses import dataclass

from memweaver.domain.conversation import Turn


@dataclass(frozen=True, slots=True)
class Window:
    """`turns` are the latest of a session, oldest first; `summary` tells those before them.

    `upto` is the id of the latest turn that the summary includes. `seen` is how new the user's
    data was when the window was made: it is stale once that has changed.
    """

    turns: tuple[Turn, ...] = ()
    summary: str = ""
    upto: str | None = None
    seen: str | None = None
