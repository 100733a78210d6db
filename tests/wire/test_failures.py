"""What a caller is told when something fails here: the class of it, never the details."""

import logging
from http import HTTPStatus

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from memweaver import errors
from memweaver.app.edge import LastResort
from memweaver.app.logging import configure_logging
from memweaver.app.sections import LogSettings
from memweaver.errors import MemweaverError
from memweaver.interfaces.rest.errors import STATUS, exception_handlers, status_of

CANARY = "the heron nests at the old mill"


def server_that_raises(error: Exception) -> TestClient:
    server = FastAPI(exception_handlers=dict(exception_handlers))
    server.add_middleware(LastResort)

    @server.get("/private/{name}")
    async def fail(name: str) -> str:
        if name:
            raise error
        return name

    return TestClient(server)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.InvalidFilter("x"), 400, "invalid_filter"),
        (errors.TooLarge("x"), 413, "too_large"),
        (errors.NotFound("x"), 404, "not_found"),
        (errors.Conflict("x"), 409, "conflict"),
        (errors.Unauthenticated("x"), 401, "unauthenticated"),
        (errors.Forbidden("x"), 403, "forbidden"),
        (errors.Unsupported("x"), 501, "unsupported"),
        (errors.Unreadable("x"), 500, "unreadable"),
        (errors.BackendUnavailable("x"), 503, "backend_unavailable"),
        (errors.QueueUnavailable("x"), 503, "queue_unavailable"),
        (errors.StorageFull("x"), 507, "storage_full"),
        (errors.SchemaMismatch("x"), 500, "schema_mismatch"),
        (errors.ModelUnavailable("x"), 503, "model_unavailable"),
        (errors.ModelRefused("x"), 502, "model_refused"),
    ],
)
def test_our_errors_are_shown_by_one_table(error: MemweaverError, status: int, code: str) -> None:
    answer = server_that_raises(error).get("/private/x")

    assert answer.status_code == status
    assert answer.json() == {"error": {"code": code, "message": "x"}}


def test_a_new_leaf_is_shown_as_its_family() -> None:
    class Misfiled(errors.NotFound):
        code = "misfiled"

    assert status_of(Misfiled("x")) is HTTPStatus.NOT_FOUND
    assert STATUS[MemweaverError] is HTTPStatus.INTERNAL_SERVER_ERROR


def test_what_nobody_foresaw_is_told_without_details() -> None:
    answer = server_that_raises(RuntimeError(CANARY)).get("/private/x")

    assert answer.status_code == 500
    assert answer.json() == {
        "error": {"code": "internal_error", "message": "something went wrong on this side"}
    }


def written_by(format_: logging.Formatter | None, capsys: pytest.CaptureFixture[str]) -> str:
    """The log of a request that fails, in our shape or in `format_`."""
    root = logging.getLogger()
    before = root.handlers, root.level
    try:
        configure_logging(LogSettings(format="json"))
        root.handlers[0].setFormatter(format_ or root.handlers[0].formatter)
        error = RuntimeError(CANARY)
        error.__cause__ = ValueError(CANARY)
        server_that_raises(error).get(f"/private/{CANARY}?session={CANARY}")
    finally:
        root.handlers, root.level = before
    return capsys.readouterr().err


@pytest.mark.requirement("C1")
def test_the_log_says_where_it_failed_and_nothing_of_what_was_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    written = written_by(None, capsys)

    assert "heron" not in written
    assert '"error": ["RuntimeError", "ValueError"]' in written
    assert "test_failures.py" in written
    assert '"route": "/private/{name}", "status": 500' in written


def test_a_log_that_tells_what_was_said_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "heron" in written_by(logging.Formatter(), capsys)
