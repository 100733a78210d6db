"""The pgvector index as a whole: what it keeps, how it follows, what it finds without a vector."""

import sys
from dataclasses import replace

import pytest
from anyio import create_task_group
from sqlalchemy import Engine, text
from tests.unit.adapters.pgvector.house import (
    MODEL,
    NOON,
    READER,
    WORDS,
    a_turn,
    an_index,
    first_step,
    hits,
    put,
    topics,
)

from memweaver.adapters.memory import open_memory
from memweaver.adapters.pgvector import follower, open_pgvector
from memweaver.adapters.pgvector.following import NOTHING, read_state, take
from memweaver.domain.conversation import Message, Role
from memweaver.domain.memory import Memory, Tier, Validity
from memweaver.domain.scope import Scope
from memweaver.domain.search import Kind, Ref
from memweaver.errors import BackendError, BackendUnavailable, ConfigurationError
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta, Vectors

pytestmark = pytest.mark.postgres

ANN = Scope("ann")
ROWS = text(
    "SELECT count(*) AS rows, coalesce(sum(length), 0) AS words, coalesce(sum(pairs), 0) AS pairs"
    " FROM memory_associative"
)
EVERYTHING = text("SELECT to_jsonb(r)::text FROM memory_associative r")
SEATS = text(
    "SELECT array_agg(id ORDER BY seat), max(seat) - min(seat) FROM memory_associative"
    " WHERE session IS NOT NULL GROUP BY session ORDER BY 1"
)


async def embedded(backend: Backend, name: str, seed: int = 1) -> None:
    [vector] = topics(1, of=1, seed=seed)
    made = Vectors(Ref(Kind.TURN, name), MODEL, (vector.tobytes(),))
    await backend.vectors.keep_vectors("ann", [made])


def a_memory(name: str, content: str, revision: int = 1) -> Memory:
    return Memory(name, ANN, Tier.SEMANTIC, content, Validity(NOON), revision)


@pytest.mark.requirement("C7")
async def test_what_has_no_vector_does_not_vanish(url: str) -> None:
    [asked] = topics(1, of=1)
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        texts = ["I moved to Oslo", "Tea, please", "Rain again"]
        await backend.store.record([a_turn(str(n), one) for n, one in enumerate(texts)])
        await embedded(backend, "0")
        assert len(await hits(index, "Nothing of the kind", asked)) == 3
        [best, *_] = await hits(index, "What was that about tea?")
        assert (best.text, best.cosine) == ("Tea, please", None)


@pytest.mark.requirement("C8")
async def test_no_text_and_no_name_is_kept_and_no_vector_until_there_is_one(
    url: str, engine: Engine
) -> None:
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        message = Message(Role.USER, "Xylophone lessons", "Zebedee")
        turn = replace(a_turn("t1", ""), messages=(message,), session="Quixotic")
        await backend.store.record([turn])
        assert (await index.open(ANN)).people == ["Zebedee"]
        with engine.begin() as connection:
            assert not connection.scalar(text("SELECT embedding FROM memory_associative"))
        await embedded(backend, "t1")
        assert [hit.text for hit in await hits(index, "Xylophone")] == ["Xylophone lessons"]
    with engine.begin() as connection:
        assert connection.scalar(text("SELECT embedding FROM memory_associative"))
        [kept] = connection.scalars(EVERYTHING).all()
    for canary in ("xylophon", "lesson", "zebedee", "quixotic"):
        assert canary not in kept.lower()


async def test_following_in_strides_gives_what_one_stride_gives(
    url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "STRIDE", 2)
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        await backend.store.record([a_turn(str(n), f"word{n}") for n in range(5)])
        await backend.store.add([a_memory("m1", "Ann lives in Oslo")])
        [vector] = topics(1, of=1)
        made = Vectors(Ref(Kind.MEMORY, "m1", 1), MODEL, (vector.tobytes(),))
        await backend.vectors.keep_vectors("ann", [made])
        await backend.store.record([a_turn(str(n), f"word{n}") for n in range(5, 9)])
        await backend.store.revise(
            replace(a_memory("m1", "Ann lives in Rome", 2), validity=Validity(NOON))
        )
        await embedded(backend, "3")
        await index.open(ANN)
        with engine.begin() as connection:
            with_vectors = text(
                "SELECT kind, id, revision FROM memory_associative"
                " WHERE embedding IS NOT NULL ORDER BY kind"
            )
            found = [tuple(row) for row in connection.execute(with_vectors)]
            assert connection.execute(ROWS).one().rows == 11
    assert found == [("memory", "m1", 1), ("turn", "3", 1)]


async def test_sums_and_seats_are_those_of_the_rows_whatever_happened(
    url: str, engine: Engine
) -> None:
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        store = backend.store
        turns = [a_turn(f"{s}{n}", f"some words {n}", session=s) for n in range(4) for s in "ab"]
        await store.record(turns)
        await store.add([a_memory("m1", "Ann lives in Oslo")])
        await index.open(ANN)
        await store.revise(a_memory("m1", "Ann lives in Rome", 2))
        for name in ("a0", "a2", "b3"):
            await store.erase_turn(ANN, name)
        await index.open(ANN)
        await store.record([a_turn("a2", "again", session="a")])
        await index.open(ANN)
    with engine.begin() as connection:
        state, [rows] = read_state(connection, "ann"), connection.execute(ROWS).all()
        seats = [tuple(row) for row in connection.execute(SEATS)]
    assert (state.rows, state.words, state.pairs) == tuple(rows)
    assert state.rows == 8
    assert seats == [(["a1", "a3", "a2"], 2), (["b0", "b1", "b2"], 2)]


async def test_many_who_open_it_at_once_take_in_everything_once(url: str, engine: Engine) -> None:
    async with (
        open_memory() as backend,
        an_index(url, backend.changes) as one,
        an_index(url, backend.changes) as other,
    ):
        for number in range(12):
            await backend.store.record([a_turn(str(number), f"word{number}")])
            async with create_task_group() as together:
                for index in (one, other, one, other):
                    together.start_soon(index.open, ANN)
    with engine.begin() as connection:
        assert connection.execute(ROWS).one().rows == read_state(connection, "ann").rows == 12


def test_a_step_from_where_the_index_is_no_longer_changes_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        late = first_step(connection, "ann", Delta([a_turn("late", "words")], [], [], []))
    put(engine, "ann", topics(3, of=1))
    with engine.begin() as connection:
        assert not take(connection, "ann", late)
        assert connection.execute(ROWS).one().rows == 3
        gone = replace(late, before=replace(late.before, epoch="of somebody unknown"))
        assert not take(connection, "bob", gone)


async def test_who_is_read_otherwise_now_is_read_anew(url: str, engine: Engine) -> None:
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        await backend.store.record([a_turn("t1", "I moved to Oslo")])
        await index.open(ANN)
        with engine.begin() as connection:
            connection.execute(text("UPDATE memory_associative_users SET made_by = 'otherwise'"))
            connection.execute(text("UPDATE memory_associative SET terms = '{}'"))
        [hit] = await hits(index, "Oslo")
        assert hit.explanation["coverage"] > 0
    with engine.begin() as connection:
        assert read_state(connection, "ann").made_by == READER.made_by


async def test_maintaining_removes_who_is_destroyed_and_what_is_erased(
    url: str, engine: Engine
) -> None:
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        for user in ("ann", "bob"):
            await backend.store.record(
                [a_turn("t1", "Oslo", user=user), a_turn("t2", "Oslo", user=user)]
            )
            await index.open(Scope(user))
        await backend.vault.destroy("ann")
        await backend.store.erase_turn(Scope("bob"), "t1")
    async with an_index(url, backend.changes) as another:
        await another.maintain()
    with engine.begin() as connection:
        left = connection.execute(text("SELECT owner, id FROM memory_associative")).all()
        assert read_state(connection, "ann") == NOTHING
    assert [tuple(row) for row in left] == [("bob", "t2")]


async def test_maintaining_comes_round_to_everybody(
    url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memweaver.adapters.pgvector.index.LOOKED_AFTER", 2)
    for user in ("a", "b", "c", "d", "e"):
        put(engine, user, topics(1, of=1))
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        for left in (3, 1, 0):
            await index.maintain()
            with engine.begin() as connection:
                assert connection.execute(ROWS).one().rows == left


async def test_a_server_that_went_away_is_said_to_be_so(url: str) -> None:
    with pytest.raises(BackendUnavailable):
        async with open_memory() as backend, an_index(url[:-1] + "nowhere", backend.changes):
            pass


async def test_a_refused_statement_is_our_error(url: str, engine: Engine) -> None:
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        await backend.store.record([a_turn("t1", "Oslo")])
        with engine.begin() as connection:
            connection.execute(text("ALTER TABLE memory_associative RENAME TO elsewhere"))
        with pytest.raises(BackendError) as refused:
            await index.open(ANN)
    assert refused.value.__cause__ is not None


async def test_without_its_drivers_it_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "memweaver.adapters.pgvector.opening", None)
    with pytest.raises(ConfigurationError, match=r"memweaver\[postgres\]"):
        async with (
            open_memory() as backend,
            open_pgvector(
                "postgresql://nowhere", backend.changes, MODEL, 64, method="exact", words=WORDS
            ),
        ):
            pass
