"""The same services for programs that do not await: a portal around the asynchronous ones."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from anyio.from_thread import BlockingPortal, start_blocking_portal

from memweaver.app.library import open as open_async
from memweaver.app.settings import Settings
from memweaver.services import Services
from memweaver.services.curate import Curate
from memweaver.waiting import waiting


class SyncCurate:
    def __init__(self, portal: BlockingPortal, curate: Curate) -> None:
        self.add = waiting(portal, curate.add)
        self.memory = waiting(portal, curate.memory)
        self.memories = waiting(portal, curate.memories)
        self.correct = waiting(portal, curate.correct)
        self.move = waiting(portal, curate.move)
        self.confirm = waiting(portal, curate.confirm)
        self.erase = waiting(portal, curate.erase)
        self.turn = waiting(portal, curate.turn)
        self.turns = waiting(portal, curate.turns)
        self.erase_turn = waiting(portal, curate.erase_turn)


class SyncServices:
    """What a program that does not await is given; each name does what its namesake does."""

    def __init__(self, portal: BlockingPortal, services: Services) -> None:
        self.record = waiting(portal, services.record.__call__)
        self.record_many = waiting(portal, services.record.many)
        self.recall = waiting(portal, services.recall.__call__)
        self.curate = SyncCurate(portal, services.curate)
        self.register_ai = waiting(portal, services.ais.register)
        self.ai = waiting(portal, services.ais.ai)
        self.working = waiting(portal, services.working.__call__)
        self.job = waiting(portal, services.jobs.job)
        self.settled = waiting(portal, services.maintain.settled)
        self.destroy = waiting(portal, services.keys.destroy)
        self.health = waiting(portal, services.health.__call__)


@contextmanager
def open(  # noqa: A001 - `memweaver.sync.open` reads as `memweaver.open` does
    data: Path | str | None = None, *, settings: Settings | None = None
) -> Generator[SyncServices]:
    """`memweaver.open` without await."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(open_async(data, settings=settings)) as services,
    ):
        yield SyncServices(portal, services)
