"""Words and names in the rows cannot be read back by trying all that they might be."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import combinations, product

import pytest
from sqlalchemy import Connection, make_url, text
from tests.servers.postgres import Postgres
from tests.unit.adapters.pgvector.house import WORDS, a_turn, an_index, hits
from tests.unit.adapters.shard.house import Wrapped

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys, open_memory
from memweaver.adapters.pgvector.blind import Blind, Blinds
from memweaver.adapters.pgvector.database import open_engine
from memweaver.adapters.sql import open_sql
from memweaver.ports.changes import Changes

TOLD = "My doctor said the cancer came back"
SESSION = "divorce lawyer"
LIST = f"apple dog house {TOLD.lower()} tree".split()
NAMES = ("default", "Ann", "User", SESSION)
TABLES = ("users", "user_keys", "meta", "memory_associative_users", "memory_associative")
NUMBERS = text("SELECT terms, session, speaker FROM memory_associative")


def clear_values(connection: Connection) -> Iterator[bytes]:
    """All that the database shows without a key, any of which may have served as one."""
    yield b""
    for table in TABLES:
        for row in connection.execute(text(f"SELECT * FROM {table}")):
            for value in row:
                raw = value if isinstance(value, bytes) else str(value).encode()
                yield from (raw[:64], raw[:32], raw[-32:])


def attacked(connection: Connection) -> set[str]:
    """What somebody with the database, a list of words and this program reads in the rows."""
    terms, session, speaker = connection.execute(NUMBERS).one()
    read = set[str]()
    for key in set(clear_values(connection)):
        blind = Blind(key)
        guesses = {blind.name("session", name): name for name in NAMES}
        guesses |= {blind.name("speaker", name): name for name in NAMES}
        for one in LIST:
            guesses |= dict.fromkeys(blind.terms(one, WORDS).content, one)
        for pair in map(" ".join, product(LIST, LIST)):
            guesses |= dict.fromkeys(blind.terms(pair, WORDS).phrases, pair)
        read |= {guesses[number] for number in (*terms, session, speaker) if number in guesses}
    return read | by_difference(terms)


def by_difference(terms: list[int]) -> set[str]:
    """What is read where words are only masked: the mask falls out between two of them."""
    words = {one: WORDS.split(one)[1][0] for one in LIST}
    between = {words[a] ^ words[b]: f"{a} {b}" for a, b in combinations(words, 2)}
    found = {(one ^ other) % 2**64 for one, other in combinations(terms, 2)}
    return {between[one] for one in found if one in between}


class Giving(Wrapped):
    """Gives everybody a key that is none."""

    def __init__(self, changes: Changes, key: bytes) -> None:
        super().__init__(changes)
        self._key = key

    async def index_key(self, user: str) -> bytes | None:
        return self._key


def masked(blind: Blind, kind: str, value: bytes) -> int:  # noqa: ARG001 - it is a mutant
    """A number that is only masked by the secret."""
    mask = blake2b(blind.secret, digest_size=8).digest()
    masked = int.from_bytes(value[-8:], "little") ^ int.from_bytes(mask, "little")
    return masked - 2**64 if masked >= 2**63 else masked


async def read_back(postgres: Postgres, key: bytes | None = None) -> set[str]:
    """What an attack reads of one turn, told with the user's own secret or with `key`."""
    url = postgres.url(postgres.new_database())
    async with open_sql(make_url(url), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        changes = backend.changes if key is None else Giving(backend.changes, key)
        async with an_index(url, changes) as index:
            await backend.store.record([a_turn("t1", TOLD, session=SESSION)])
            [hit] = await hits(index, "What did the doctor say?")
            assert hit.explanation["coverage"] > 0
    engine = open_engine(make_url(url), 1)
    with engine.begin() as connection:
        read = attacked(connection)
    engine.dispose()
    return read


@pytest.mark.postgres
@pytest.mark.requirement("C8")
async def test_a_list_of_words_reads_nothing_in_a_stolen_database(postgres: Postgres) -> None:
    assert await read_back(postgres) == set()


@pytest.mark.postgres
@pytest.mark.parametrize("key", [b"", b"ann"], ids=["no key", "the name of the user"])
async def test_the_attack_reads_what_has_no_secret_key(postgres: Postgres, key: bytes) -> None:
    read = await read_back(postgres, key)
    assert {"doctor", "cancer", "cancer came", SESSION, "User"} <= read


@pytest.mark.postgres
async def test_the_attack_reads_what_is_only_masked(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Blind, "_number", masked)
    assert "doctor cancer" in await read_back(postgres)


def test_numbers_differ_between_users_columns_and_orders() -> None:
    ann, bob = Blind(b"a" * 32), Blind(b"b" * 32)
    assert ann.name("session", "Tom") == ann.name("session", "Tom")
    assert len({one.name(c, "Tom") for one in (ann, bob) for c in ("session", "speaker")}) == 4
    assert ann.terms("red boat", WORDS).phrases != ann.terms("boat red", WORDS).phrases
    assert "aaa" not in repr(ann)


async def test_a_secret_is_asked_for_once_in_the_life_of_a_user() -> None:
    async with open_memory() as backend:
        blinds = Blinds(backend.changes)
        assert await blinds.of("ann", "0") is None
        await backend.store.record([a_turn("t1", TOLD)])
        first = await blinds.of("ann", "0")
        assert first is not None
        assert await blinds.of("ann", "0") is first
        await backend.vault.destroy("ann")
        await backend.store.record([a_turn("t1", TOLD)])
        assert await blinds.of("ann", "1") not in (None, first)


async def test_only_so_many_secrets_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memweaver.adapters.pgvector.blind.MOST_KNOWN", 1)
    async with open_memory() as backend:
        blinds = Blinds(backend.changes)
        for user in ("ann", "bob"):
            await backend.store.record([a_turn("t1", TOLD, user=user)])
        hers = await blinds.of("ann", "0")
        assert await blinds.of("bob", "1") != hers
        again = await blinds.of("ann", "0")
        assert again == hers
        assert again is not hers
