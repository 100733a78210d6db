"""Whatever is typed is a value: no word of it ever becomes part of a statement."""

import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import Engine, create_engine, event, text
from tests.security.payloads import PAYLOADS
from tests.security.places import Known, Request, requests
from tests.servers.postgres import Postgres
from tests.wire.house import House, Visitor, open_house

from memweaver.app import wiring
from memweaver.app.house_sections import AccessSettings
from memweaver.app.sections import PostgresStore, ReflectorSettings, SqliteStore
from memweaver.app.settings import Settings
from memweaver.testing.doubles import HashEmbedder

MARK = "zqx9"
"""Stands in every payload, and in no statement of ours."""
PARTS = 4
SHARE = 7
"""Each payload is typed in every seventh place, and in each place every seventh is typed.

Seven has no divisor in common with the table of payloads: each place sees all kinds. All of them
everywhere take minutes: say 1 here to see that.
"""
WORDLESS = {
    "/health",
    "/ready",
    "/metrics",
    "/v1/me",
    "/v1/models",
    "/sessions",
    "/auth/me/memory/core",
    "/auth/me/memory/relational",
    "/v1/forget",
    "/auth/me/memory/forget-all",
}
"""Routes that take no word of anybody's."""
SLOW = {"/signup", "/login", "/v1/me/password", "/v1/me/logout"}
"""Every try hashes a password: asked with fewer payloads, below."""


@contextmanager
def quick_house(folder: Path, database: str = "") -> Generator[House]:
    """With no model and no worker: what is typed is to be kept, not understood."""
    settings = Settings(
        data=folder,
        store=PostgresStore(url=SecretStr(database), pool=4) if database else SqliteStore(),
        access=AccessSettings(requests_per_minute=0, keys_per_hour=10**9, logins_per_minute=10**9),
        reflector=ReflectorSettings(inside=False),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "open_embedder", lambda _: nullcontext(HashEmbedder()))
        with open_house(settings) as opened:
            yield opened


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    with quick_house(tmp_path_factory.mktemp("injection")) as opened:
        yield opened


@contextmanager
def statements() -> Generator[list[str]]:
    """All that is run meanwhile by any engine."""
    seen: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def ask(visitor: Visitor, request: Request) -> tuple[str, int]:
    headers = {name.replace("-", "_"): value for name, value in request.headers.items()}
    return request.line, visitor.ask(request.line, request.body, **headers).status_code


def broken_by(numbers: range, house: House) -> list[tuple[str, int]]:
    """What failed, other than for want of a model, with the payloads of these numbers."""
    visitor = house.admin()
    known = Known.of(visitor)
    every = [
        one
        for number in numbers
        for place, one in enumerate(requests(f"{MARK}{PAYLOADS[number]}", known))
        if (number + place) % SHARE == 0
    ]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: ask(visitor, one), every))
    assert not {429} & {status for _, status in answers}
    return [one for one in answers if one[1] >= 500 and one[1] != 503]


@pytest.mark.parametrize("part", range(PARTS))
def test_no_word_of_what_is_typed_is_part_of_a_statement(part: int, house: House) -> None:
    with statements() as seen:
        assert broken_by(range(part, len(PAYLOADS), PARTS), house) == []
    assert seen
    assert [statement for statement in seen if MARK in statement] == []


@pytest.mark.postgres
def test_neither_in_postgres(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.url(postgres.new_database())
    with quick_house(tmp_path, database) as house, statements() as seen:
        assert broken_by(range(0, len(PAYLOADS), PARTS), house) == []
    assert any("FOR UPDATE" in statement for statement in seen)
    assert [statement for statement in seen if MARK in statement] == []


@pytest.mark.parametrize("word", [f"{MARK}{payload}" for payload in PAYLOADS[::20]])
def test_neither_at_the_entrance(word: str, house: House) -> None:
    password = {"password": word, "confirm": word}
    with statements() as seen:
        for line, body in (
            ("/signup", {"email": word, "name": word, **password}),
            ("/login", {"email": word, "password": word}),
        ):
            assert house.client.post(line, json=body).status_code < 500
        for header in ("Authorization", "X-API-Key", "X-Memweaver-User"):
            value = f"Bearer {word}" if header == "Authorization" else word
            asked = house.client.get("/v1/me", headers={header.encode(): value.encode()})
            assert asked.status_code in {400, 401}
    assert [statement for statement in seen if MARK in statement] == []


def untried(server: FastAPI) -> set[tuple[str, str]]:
    """Routes that take a word which none of the requests above carries there."""
    known = Known("1", "2", "3", "4", "5")
    asked = [one.route for one in requests("word", known)]
    return {
        (method.upper(), path)
        for path, methods in server.openapi()["paths"].items()
        for method in methods
        if path not in WORDLESS | SLOW
        and not any(one == method.upper() and fits(path, target) for one, target in asked)
    }


def fits(path: str, target: str) -> bool:
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), target) is not None


def test_every_route_is_tried(house: House) -> None:
    assert untried(house.server) == {
        ("GET", "/v1/events/schema"),
        ("GET", "/v1/keys"),
        ("GET", "/v1/users"),
        ("GET", "/v1/webhooks"),
    }


def test_a_route_that_is_not_tried_is_noticed() -> None:
    server = FastAPI()
    server.post("/v1/new/{name}")(lambda name: name)
    server.get("/v1/turns/{turn_id}")(lambda turn_id: turn_id)

    assert untried(server) == {("POST", "/v1/new/{name}")}


def test_there_are_enough_payloads() -> None:
    assert len(PAYLOADS) >= 300


def test_a_word_that_is_part_of_a_statement_is_noticed(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'mutant.db'}")
    with statements() as seen, engine.connect() as connection:
        connection.execute(text(f"SELECT '{MARK}'"))
    engine.dispose()

    assert [statement for statement in seen if MARK in statement] == [f"SELECT '{MARK}'"]
