"""Writing to the log of what happened, inside the transaction in which it happens."""

from sqlalchemy import Connection, insert

from memweaver.adapters.sql.house_schema import events
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import micros
from memweaver.domain.event import Event

FIELDS = ("owner", "ai", "kind", "id", "tier", "at")
KEEP = Prepared(insert(events).values(dict.fromkeys(FIELDS)))


def tell(connection: Connection, event: Event) -> None:
    """Keep `event`. Its user is locked by the caller: so numbers are committed in their order."""
    row = {
        "owner": event.scope.user,
        "ai": event.scope.ai,
        "kind": event.kind.value,
        "id": event.id,
        "tier": event.tier,
        "at": micros(event.at),
    }
    KEEP.changed(connection, row)
