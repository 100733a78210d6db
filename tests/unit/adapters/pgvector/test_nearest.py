"""The nearest vectors: in order, as many as asked for, of one user; exactly, or nearly so."""

from collections.abc import Callable

import numpy as np
import pytest
from sqlalchemy import Connection, Engine, select, text
from tests.unit.adapters.pgvector.house import Floats, looking, put, topics

from memweaver.adapters.pgvector import EXACT_BELOW
from memweaver.adapters.pgvector.candidates import NEAREST, nearest
from memweaver.adapters.pgvector.method import Method, ensure_index, renew_if_worn, worth_it
from memweaver.adapters.pgvector.migrate import bring_up_to_date
from memweaver.adapters.pgvector.schema import records
from memweaver.errors import ConfigurationError

pytestmark = pytest.mark.postgres

MADE = text("SELECT indexdef FROM pg_indexes WHERE indexname = 'memory_associative_embedding_idx'")
USED = text(
    "SELECT idx_scan FROM pg_stat_user_indexes"
    " WHERE indexrelname = 'memory_associative_embedding_idx'"
)


def found(
    engine: Engine,
    user: str,
    vector: Floats | None,
    method: Method = Method.EXACT,
    *,
    exact_below: int = EXACT_BELOW,
) -> list[str]:
    """The names of the nearest, nearest first."""
    asked = looking(engine, user, vector)
    with engine.begin() as connection:
        seats = nearest(connection, asked, method, exact_below=exact_below)
        rows = connection.execute(select(records.c.seat, records.c.id).where(asked.mine))
        names = {row.seat: row.id for row in rows}
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
    return [names[seat] for seat in seats]


def by_hand(vectors: Floats, vector: Floats) -> list[str]:
    order = np.argsort(-(vectors @ vector), kind="stable")
    return [str(number) for number in order[:NEAREST]]


def agreement(engine: Engine, vectors: Floats, method: Method) -> float:
    """The share of the truly nearest among those that `method` finds by its index."""
    asked = topics(12, of=40, seed=8)
    shares = []
    for vector in asked:
        near = found(engine, "ann", vector, method, exact_below=0)
        shares.append(len(set(near) & set(by_hand(vectors, vector))) / NEAREST)
    return sum(shares) / len(shares)


def times_used(engine: Engine) -> int:
    with engine.begin() as connection:
        return int(connection.execute(USED).scalar_one())


def alone(engine: Engine, work: Callable[[Connection], bool]) -> bool:
    """Run a work outside of any transaction, with what the server knows of the table fresh."""
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("ANALYZE memory_associative"))
        return work(connection)


@pytest.mark.requirement("C7")
def test_the_nearest_of_one_user_come_by_cosine_distance(engine: Engine) -> None:
    vectors, [asked] = topics(300, of=10), topics(1, of=10, seed=8)
    put(engine, "ann", vectors)
    put(engine, "bob", [asked] * 50)
    assert found(engine, "ann", asked) == by_hand(vectors, asked)
    assert len(found(engine, "bob", asked)) == 50
    assert found(engine, "nobody", asked) == []
    assert found(engine, "ann", None) == []


@pytest.mark.requirement("C7")
def test_what_has_no_vector_by_the_model_is_not_near(engine: Engine) -> None:
    [one, other] = topics(2, of=2)
    put(engine, "ann", [one, None, other])
    assert found(engine, "ann", other) == ["2", "0"]
    with engine.begin() as connection:
        connection.execute(text("UPDATE memory_associative SET embedded_by = 'b' WHERE id = '2'"))
    assert found(engine, "ann", other) == ["0"]


@pytest.mark.requirement("X11")
def test_an_hnsw_index_finds_nearly_all_of_the_nearest(engine: Engine) -> None:
    vectors = topics(3000, of=40)
    put(engine, "ann", vectors)
    with engine.begin() as connection:
        ensure_index(connection, Method.HNSW, 64)
    assert agreement(engine, vectors, Method.HNSW) >= 0.9
    assert times_used(engine) >= 12


@pytest.mark.requirement("X11")
def test_an_ivfflat_index_made_of_nothing_is_made_anew_and_then_finds_nearly_all(
    engine: Engine,
) -> None:
    vectors = topics(3000, of=40)
    put(engine, "ann", vectors)
    assert alone(engine, renew_if_worn)
    assert not alone(engine, renew_if_worn)
    assert agreement(engine, vectors, Method.IVFFLAT) >= 0.9
    assert times_used(engine) >= 12


@pytest.mark.requirement("X11")
@pytest.mark.parametrize("method", [Method.IVFFLAT, Method.HNSW])
def test_whoever_has_few_rows_is_searched_exactly(engine: Engine, method: Method) -> None:
    vectors, [asked] = topics(500, of=40), topics(1, of=40, seed=8)
    put(engine, "ann", vectors)
    with engine.begin() as connection:
        ensure_index(connection, method, 64)
    assert found(engine, "ann", asked, method) == by_hand(vectors, asked)
    assert times_used(engine) == 0


def test_who_has_fewer_rows_than_are_wanted_has_all_of_them_found(engine: Engine) -> None:
    """An index over everybody's rows may stop before it has met all of one user's."""
    with engine.begin() as connection:
        ensure_index(connection, Method.HNSW, 64)
    put(engine, "ann", topics(1000, of=40))
    few, [asked] = topics(60, of=40, seed=9), topics(1, of=40, seed=8)
    put(engine, "bob", few)
    near = found(engine, "bob", asked, Method.HNSW, exact_below=0)
    assert near == by_hand(few, asked)


def test_an_index_is_not_worth_it_for_a_small_share_of_all_rows(engine: Engine) -> None:
    put(engine, "ann", topics(400, of=4))
    with engine.begin() as connection:
        connection.execute(text("ANALYZE memory_associative"))
        assert worth_it(connection, rows=400, wanted=100)
        assert not worth_it(connection, rows=1, wanted=100)


@pytest.mark.requirement("X11")
def test_the_index_of_that_name_is_of_the_kind_chosen_last(engine: Engine) -> None:
    kinds = []
    with engine.begin() as connection:
        for method in (Method.EXACT, Method.HNSW, Method.EXACT, Method.IVFFLAT):
            ensure_index(connection, method, 64)
            kinds.append(connection.scalar(MADE))
    assert ["ivfflat" in kind for kind in kinds] == [True, False, False, True]
    assert ["hnsw" in kind for kind in kinds] == [False, True, True, False]
    assert "WITH (lists='100')" in kinds[-1]


@pytest.mark.requirement("X11")
def test_vectors_too_long_to_be_indexed_are_searched_exactly_or_refused(empty: Engine) -> None:
    with empty.begin() as connection:
        bring_up_to_date(connection, 3072, migrate=True)
        ensure_index(connection, Method.EXACT, 3072)
        assert connection.scalar(MADE) is None
        with pytest.raises(ConfigurationError, match="method `exact`"):
            ensure_index(connection, Method.HNSW, 3072)
