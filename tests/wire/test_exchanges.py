"""REST, word for word: every route, what it is asked and what it answers."""

from collections.abc import Collection
from pathlib import Path

import pytest
from tests.wire.exchange import Exchange, exchanges, play
from tests.wire.house import PROXY, House, Visitor

Route = tuple[str, str]
APART: set[Route] = {
    ("POST", "/v1/admin/jobs/{job_id}/retry"),
    ("DELETE", "/v1/admin/jobs/{job_id}"),
    ("POST", "/v1/webhooks/{webhook_id}/test"),
}
"""Routes that need more than a script to succeed: see `test_admin_jobs`, `tests/sockets`."""
ELSEWHERE = PROXY | {"/chat", "/signup", "/login", "/v1/me/password", "/v1/me/logout"}
"""Asked in `tests/proxy`, and in `test_entrance` in a house anew: they need a model or a login."""
SCRIPTS = sorted((Path(__file__).parent / "exchanges").glob("*.json"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_exchange_is_answered_as_written(script: Path, house: House) -> None:
    play(exchanges(script), house.admin())


def test_every_route_is_asked_and_refuses_something(house: House) -> None:
    asked = [one for script in SCRIPTS for one in exchanges(script)]
    routes = {
        (method.upper(), path)
        for path, methods in house.server.openapi()["paths"].items()
        for method in methods
        if path not in ELSEWHERE
    }

    asked_for = {(route_of(one, routes), one.status) for one in asked}

    assert routes - APART - {route for route, status in asked_for if status < 300} == set()
    assert {route for route in routes if route[1] != "/health"} - {
        route for route, status in asked_for if status >= 400
    } == set()


def route_of(exchange: Exchange, routes: Collection[Route]) -> Route | None:
    """The route that answers it: of several the one with the most words of its path."""
    method, target = exchange.request.split(" ", 1)
    parts = target.split("?")[0].split("/")
    fitting = [route for route in routes if route[0] == method and fits(route[1].split("/"), parts)]
    return min(fitting, key=lambda route: route[1].count("{"), default=None)


def fits(template: list[str], parts: list[str]) -> bool:
    return len(template) == len(parts) and all(
        wanted.startswith("{") or wanted == part
        for wanted, part in zip(template, parts, strict=True)
    )


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
