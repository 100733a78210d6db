"""How the nearest vectors are found: by looking at all of a user's, or by an index over all users'.

An index answers for everybody's vectors at once and leaves out those of others afterwards. So it
pays only for who has many rows, and has a good share of all rows there are.
"""

from enum import StrEnum

from sqlalchemy import Connection, text

from memweaver.errors import ConfigurationError


class Method(StrEnum):
    EXACT = "exact"
    IVFFLAT = "ivfflat"
    HNSW = "hnsw"


MOST_INDEXED = 2000
"""Numbers of the longest vector that pgvector can index."""
MOST_VISITED = 20_000
"""Rows an index may visit to find enough of one user's; pgvector's own default."""
WIDEST = 1000
"""pgvector's limit of how many candidates a search in an HNSW index holds."""
SPARE = 2
"""A search in an HNSW index holds so many times the candidates wanted, and finds more of them."""
PROBES = 20
"""Lists of an ivfflat index looked into at first, of its 100."""
WORN = 4
"""An ivfflat index is made anew when there are this many times the rows it was made of."""

MAKE = {
    Method.IVFFLAT: text(
        "CREATE INDEX memory_associative_embedding_idx ON memory_associative"
        " USING ivfflat (embedding vector_cosine_ops) WITH (lists = 100)"
    ),
    Method.HNSW: text(
        "CREATE INDEX memory_associative_embedding_idx ON memory_associative"
        " USING hnsw (embedding vector_cosine_ops)"
    ),
}
DROP = text("DROP INDEX IF EXISTS memory_associative_embedding_idx")
RENEW = text("REINDEX INDEX CONCURRENTLY memory_associative_embedding_idx")
KIND = text(
    "SELECT amname FROM pg_class JOIN pg_am ON pg_am.oid = relam"
    " WHERE pg_class.oid = to_regclass('memory_associative_embedding_idx')"
)
ROWS = text("SELECT reltuples FROM pg_class WHERE oid = 'memory_associative'::regclass")
MADE_OF = text(
    "SELECT obj_description(to_regclass('memory_associative_embedding_idx'), 'pg_class')"
)
TUNE = text(
    "SELECT set_config('enable_sort', 'off', true),"
    " set_config('hnsw.ef_search', :width, true),"
    " set_config('hnsw.iterative_scan', 'relaxed_order', true),"
    " set_config('ivfflat.probes', :probes, true),"
    " set_config('ivfflat.iterative_scan', 'relaxed_order', true)"
)
UNTUNE = text("SELECT set_config('enable_sort', 'on', true)")


def ensure_index(connection: Connection, method: Method, dimensions: int) -> None:
    """Have the index be of the kind that `method` needs. Raises `ConfigurationError`."""
    if method is Method.EXACT:
        return
    if dimensions > MOST_INDEXED:
        raise ConfigurationError(
            f"pgvector can index vectors of at most {MOST_INDEXED} numbers and the embedder makes "
            f"{dimensions}: use the index's method `exact`, or a smaller embedding model"
        )
    if kind_of_index(connection) is not method:
        connection.execute(DROP)
        connection.execute(MAKE[method])


def kind_of_index(connection: Connection) -> Method | None:
    kind = connection.execute(KIND).scalar_one_or_none()
    return None if kind is None else Method(kind)


def worth_it(connection: Connection, rows: int, wanted: int) -> bool:
    """Whether the index would find `wanted` of a user's `rows` before it gives up."""
    everybodys: float = connection.execute(ROWS).scalar_one()
    return rows * MOST_VISITED >= wanted * everybodys


def tune(connection: Connection, wanted: int) -> None:
    """Make the next statement of this transaction find its `wanted` nearest by the index."""
    width = min(SPARE * wanted, WIDEST)
    connection.execute(TUNE, {"width": str(width), "probes": str(PROBES)})


def untune(connection: Connection) -> None:
    connection.execute(UNTUNE)


def renew_if_worn(connection: Connection) -> bool:
    """Make an ivfflat index anew whose lists were drawn when there were far fewer rows."""
    if kind_of_index(connection) is not Method.IVFFLAT:
        return False
    rows = int(connection.execute(ROWS).scalar_one())
    made_of = int(connection.execute(MADE_OF).scalar_one() or 0)
    if rows < WORN * max(made_of, 1):
        return False
    connection.execute(RENEW)
    connection.execute(text(f"COMMENT ON INDEX memory_associative_embedding_idx IS '{rows}'"))
    return True
