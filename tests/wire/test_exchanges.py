"""REST, word for word: every route, what it is asked and what it answers."""

from pathlib import Path

import pytest
from tests.wire.exchange import Exchange, exchanges, play
from tests.wire.house import House, Visitor

SCRIPTS = sorted((Path(__file__).parent / "exchanges").glob("*.json"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_exchange_is_answered_as_written(script: Path, visitor: Visitor) -> None:
    play(exchanges(script), visitor)


def test_every_route_is_asked_and_refuses_something(house: House) -> None:
    asked = [one for script in SCRIPTS for one in exchanges(script)]
    routes = {
        (method.upper(), path)
        for path, methods in house.server.openapi()["paths"].items()
        for method in methods
    }

    assert routes - {route_of(one) for one in asked if one.status < 300} == set()
    assert {route for route in routes if route[1] != "/health"} - {
        route_of(one) for one in asked if one.status >= 400
    } == set()


def route_of(exchange: Exchange) -> tuple[str, str]:
    method, target = exchange.request.split(" ", 1)
    path, *_ = target.split("?")
    record = {"turns": "{turn_id}", "memories": "{memory_id}", "reflections": "{job_id}"}
    parts = path.split("/")
    for number, part in enumerate(parts):
        if part.startswith("<"):
            parts[number] = record[parts[number - 1]]
    return method, "/".join(parts)


@pytest.mark.parametrize(
    "written",
    [
        {"status": "ok", "parts": {}},
        {"status": "fine", "parts": "<any>"},
        {"status": "ok"},
        {"parts": "<any>", "status": "ok"},
    ],
)
def test_an_answer_that_is_not_as_written_is_noticed(written: object, visitor: Visitor) -> None:
    with pytest.raises(AssertionError):
        play([Exchange("GET /health", 200, answer=written)], visitor)
