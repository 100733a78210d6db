"""What the checks must catch: each is the program with one promise taken out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection

from memweaver import background
from memweaver.adapters.sql import effects, jobs, lanes, writer
from memweaver.domain.memory import Memory
from memweaver.ports.queue import Effects

Apply = Callable[..., Sequence[Memory]]

WHILE = 0.25
"""Seconds between what belongs together, for something to happen in between."""


def unfenced() -> None:
    """Whoever once had a claim may go on, though somebody else has it now."""
    patch.object(lanes, "hold", lambda *_: None).start()


def twice() -> None:
    """What is settled has its effects twice."""
    once: Apply = effects.apply

    def apply(*given: Any, now: Any) -> Sequence[Memory]:
        *others, wanted = given
        return [*once(*given, now=now), *once(*others, another(wanted), now=now)]

    patch.object(effects, "apply", apply).start()


def another(wanted: Effects) -> Effects:
    """The same memories under other names and in other words."""
    again = [replace(one, id=f"{one.id}b", text=f"{one.text} again") for one in wanted.added]
    return Effects(added=again)


def reordering() -> None:
    """The latest job of a user comes first."""
    number = jobs.OLDEST.selected_columns.number
    latest = jobs.OLDEST.order_by(None).order_by(number.desc())
    patch.object(jobs, "OLDEST", latest).start()


def forgetting() -> None:
    """Jobs end without their effects now and then, as after a crash between two transactions."""
    apply: Apply = effects.apply

    def partly(*given: Any, now: Any) -> Sequence[Memory]:
        *others, wanted = given
        return apply(*others, replace(wanted, added=wanted.added[1:]), now=now)

    patch.object(effects, "apply", partly).start()


def answering_early() -> None:
    """Who waits for a write is answered before it is committed."""

    def commit(_: writer.Writer, connection: Connection, given: Sequence[writer.Job[Any]]) -> None:
        works = [job for job in given if not job.left]
        try:
            with connection.begin():
                background.tell(works, [partial(job.answer, job.work(connection)) for job in works])
                Event().wait(WHILE)
        except Exception as error:  # noqa: BLE001 - as the genuine one: nobody waits for ever
            background.tell(works, [partial(job.fail, error) for job in works])

    patch.object(writer.Writer, "_commit", commit).start()
    patch.object(writer, "FEW", 0).start()  # nothing is run on an event loop


MUTANTS: Mapping[str, Callable[[], None]] = {
    mutant.__name__: mutant for mutant in (unfenced, twice, reordering, forgetting, answering_early)
}
