"""All of it in one house: the matrix over HTTP, the one over sockets, and the canaries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.isolation.canaries import Choir, Found
from tests.isolation.house import open_house, operations_of
from tests.isolation.matrix import Cell, Matrix
from tests.isolation.operations import APART, OPERATIONS
from tests.isolation.people import people
from tests.isolation.sockets import EVENTS, SocketMatrix

from memweaver.interfaces.socketio.wire import ASKED

SEED = 5


@dataclass(frozen=True)
class Trial:
    """`unlisted` are operations that the app has and the matrix has not, or the other way round."""

    cells: Sequence[Cell]
    unlisted: Sequence[str]

    @property
    def leaks(self) -> Sequence[Cell]:
        return [cell for cell in self.cells if cell.leak]


async def tried(folder: Path, *names: str) -> Trial:
    """The operations named, or all of them and the sockets."""
    async with open_house(folder) as house:
        everybody = await people(house.services)
        matrix = Matrix(house.world, house.client)
        await matrix.fill({name: OPERATIONS[name] for name in names or OPERATIONS}, everybody)
        sockets = SocketMatrix(house.world, house.url)
        if not names:
            await sockets.fill(everybody)
        listed = {*OPERATIONS, *APART} ^ set(operations_of(house.server))
        return Trial([*matrix.cells, *sockets.cells], sorted(listed | (ASKED.keys() ^ SENT)))


SENT = {"authenticate", *EVENTS}


async def searched(folder: Path, *, people: int, searches: int) -> Found:
    async with open_house(folder) as house:
        # The same searches every time.
        choir = Choir(house.services, house.client, Random(SEED))  # noqa: S311 - no secret
        singers = await choir.gathered(people)
        await house.services.maintain.settled()
        return await choir.searched(singers, searches)
