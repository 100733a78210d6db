"""The `Courier` port in the process: keeps what it was to carry, and fails when told to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from memweaver.errors import ReceiverError
from memweaver.ports.webhooks import Courier

Parcel = tuple[str, bytes, Mapping[str, str]]


@dataclass(slots=True)
class InMemoryCourier(Courier):
    carried: list[Parcel] = field(default_factory=list[Parcel])
    failures: int = 0
    """How often it is to fail from now on."""

    def check(self, url: str) -> None:
        """Anything will do: it leads nowhere."""

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        if self.failures:
            self.failures -= 1
            raise ReceiverError("it answered 500")
        self.carried.append((url, body, headers))
