"""Whatever is typed is a value: no word of it ever becomes part of a statement."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import create_engine, text
from tests.security.injection import MARK, marked, quick_house, statements, typed
from tests.security.payloads import DISGUISED, PAYLOADS
from tests.security.places import Known, requests
from tests.servers.postgres import Postgres
from tests.wire.house import House

PARTS = 4
SHARE = 7
"""Each payload is typed in every seventh place, and in each place every seventh is typed.

Seven has no divisor in common with the table of payloads: each place sees all kinds. All of them
everywhere, and in disguise, are typed by `make injection`.
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


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    with quick_house(tmp_path_factory.mktemp("injection")) as opened:
        yield opened


def broken_by(numbers: range, house: House) -> list[tuple[str, int]]:
    """What failed, other than for want of a model, with the payloads of these numbers."""
    return typed([(number, PAYLOADS[number]) for number in numbers], house, SHARE).broken


@pytest.mark.parametrize("part", range(PARTS))
def test_no_word_of_what_is_typed_is_part_of_a_statement(part: int, house: House) -> None:
    with statements() as seen:
        assert broken_by(range(part, len(PAYLOADS), PARTS), house) == []
    assert seen
    assert marked(seen) == []


@pytest.mark.postgres
def test_neither_in_postgres(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.url(postgres.new_database())
    with quick_house(tmp_path, database) as house, statements() as seen:
        assert broken_by(range(0, len(PAYLOADS), PARTS), house) == []
    assert any("FOR UPDATE" in statement for statement in seen)
    assert marked(seen) == []


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
    assert marked(seen) == []


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
    assert len(DISGUISED) >= 2000


def test_what_is_disguised_is_typed_too(house: House) -> None:
    with statements() as seen:
        assert typed(list(enumerate(DISGUISED))[::100], house, SHARE).broken == []
    assert marked(seen) == []


def test_a_word_that_is_part_of_a_statement_is_noticed(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'mutant.db'}")
    with statements() as seen, engine.connect() as connection:
        connection.execute(text(f"SELECT '{MARK}'"))
    engine.dispose()

    assert marked(seen) == [f"SELECT '{MARK}'"]
