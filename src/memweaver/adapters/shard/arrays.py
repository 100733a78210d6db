"""Names for the arrays a shard is made of, and one that grows."""

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Counts = NDArray[np.int32]
Numbers = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Flags = NDArray[np.bool_]
Table = NDArray[np.void]
"""An array of rows with named columns."""

Scalar = TypeVar("Scalar", bound=np.generic)
GROWTH = 1.25


class Growing(Generic[Scalar]):
    """An array to which rows are added at the end; what was handed out before stays as it was."""

    def __init__(self, dtype: Any, width: tuple[int, ...] = ()) -> None:
        self._room: NDArray[Scalar] = np.empty((0, *width), dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        return self._room.nbytes

    @property
    def rows(self) -> NDArray[Scalar]:
        return self._room[: self._size]

    def extend(self, rows: NDArray[Scalar]) -> None:
        needed = self._size + len(rows)
        if needed > len(self._room):
            room = np.empty((round(needed * GROWTH) + 8, *self._room.shape[1:]), self._room.dtype)
            room[: self._size] = self.rows
            self._room = room
        self._room[self._size : needed] = rows
        self._size = needed
