"""A cursor is good for one person, one list and one question; a tag for one revision."""

import pytest
from tests.wire.house import House, Visitor


def pages(visitor: Visitor) -> str:
    for number in range(3):
        visitor.ask("POST /v1/memories", {"text": f"tea {number}"})
        visitor.ask("POST /v1/sessions", {"name": f"tea {number}"})
    cursor = visitor.ask("GET /v1/memories?limit=1").json()["next"]
    assert isinstance(cursor, str)
    return cursor


def test_a_cursor_leads_on(visitor: Visitor) -> None:
    cursor: str | None = pages(visitor)
    texts = []
    while cursor:
        page = visitor.ask(f"GET /v1/memories?limit=1&cursor={cursor}").json()
        texts += [one["text"] for one in page["items"]]
        cursor = page["next"]

    assert texts == ["tea 1", "tea 0"]


@pytest.mark.parametrize(
    "request_line",
    [
        "GET /v1/memories?limit=2",
        "GET /v1/memories?limit=1&ai=helper",
        "GET /v1/memories?limit=1&tier=core",
        "GET /v1/sessions?limit=1",
        "GET /v1/relations?limit=1",
        "GET /v1/turns?limit=1",
    ],
)
def test_a_cursor_of_another_question_is_refused(request_line: str, visitor: Visitor) -> None:
    cursor = pages(visitor)
    answer = visitor.ask(f"{request_line}&cursor={cursor}")

    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "cursor")


def test_a_cursor_of_somebody_else_is_refused(house: House, visitor: Visitor) -> None:
    cursor = pages(visitor)
    answer = house.visitor().ask(f"GET /v1/memories?limit=1&cursor={cursor}")

    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "cursor")


def test_an_altered_cursor_is_refused(visitor: Visitor) -> None:
    cursor = pages(visitor)
    for number, letter in enumerate(cursor):
        altered = cursor[:number] + ("A" if letter != "A" else "B") + cursor[number + 1 :]
        answer = visitor.ask(f"GET /v1/memories?limit=1&cursor={altered}")
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, "cursor")


def test_a_cursor_of_events_leads_on_and_is_good_for_its_question_only(
    house: House, visitor: Visitor
) -> None:
    pages(visitor)
    first = visitor.ask("GET /v1/events?limit=1").json()
    cursor = first["cursor"]
    assert cursor == first["items"][0]["cursor"]
    following = visitor.ask(f"GET /v1/events?limit=2&cursor={cursor}").json()
    assert following["items"][0]["id"] != first["items"][0]["id"]

    other = house.visitor()
    altered = cursor[:-1] + ("A" if cursor[-1] != "A" else "Q")
    for who, request_line in (
        (visitor, f"GET /v1/events?limit=1&ai=helper&cursor={cursor}"),
        (visitor, f"GET /v1/events?limit=1&cursor={altered}"),
        (visitor, "GET /v1/events?limit=1&cursor=41.1777627800"),
        (other, f"GET /v1/events?limit=1&cursor={cursor}"),
        (visitor, f"GET /v1/memories?limit=1&cursor={cursor}"),
    ):
        answer = who.ask(request_line)
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, "cursor")


def test_only_the_revision_that_was_seen_is_changed(visitor: Visitor) -> None:
    made = visitor.ask("POST /v1/memories", {"text": "tea"})
    name, first = made.json()["id"], made.headers["etag"]
    changed = visitor.ask(f"PATCH /v1/memories/{name}", {"text": "green tea"}, If_Match=first)
    assert (first, changed.headers["etag"]) == ('"1"', '"2"')

    for request_line, body in (
        (f"PATCH /v1/memories/{name}", {"text": "coffee"}),
        (f"POST /v1/memories/{name}/move", {"tier": "archive"}),
        (f"POST /v1/memories/{name}/confirm", None),
        (f"DELETE /v1/memories/{name}", None),
    ):
        late = visitor.ask(request_line, body, If_Match=first)
        assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")
        odd = visitor.ask(request_line, body, If_Match="two")
        assert (odd.status_code, odd.json()["error"]["field"]) == (400, "If-Match")

    moved = visitor.ask(f"POST /v1/memories/{name}/move", {"tier": "archive"}, If_Match='"2"')
    assert moved.headers["etag"] == '"3"'
    assert visitor.ask(f"DELETE /v1/memories/{name}", If_Match="*").status_code == 204


TEAM = {"subject": "Marco", "predicate": "reports_to", "object": "Ada"}


def test_only_the_relation_that_was_seen_is_changed(visitor: Visitor) -> None:
    made = visitor.ask("POST /v1/relations", TEAM)
    where, first = made.headers["location"], made.headers["etag"]
    assert visitor.ask(f"GET {where}").headers["etag"] == first == '"1"'
    changed = visitor.ask(f"PATCH {where}", {"object": "Eve"}, If_Match=first)
    assert (changed.status_code, changed.headers["etag"]) == (200, '"2"')

    literal = where.replace("/v1/relations", "/auth/me/memory/relational")
    for path in (where, literal):
        for request_line, body in ((f"PATCH {path}", {"object": "Bob"}), (f"DELETE {path}", None)):
            late = visitor.ask(request_line, body, If_Match=first)
            assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")
    again = visitor.ask(f"PATCH {literal}", {"object": "Bob"}, If_Match='"2"')
    assert again.headers["etag"] == '"3"'
    assert visitor.ask(f"DELETE {where}", If_Match='"3"').status_code == 204


def test_who_has_the_latest_revision_of_a_relation_is_told_so(visitor: Visitor) -> None:
    where = visitor.ask("POST /v1/relations", TEAM).headers["location"]
    known = visitor.ask(f"GET {where}", If_None_Match='"1"')
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", '"1"')
    assert visitor.ask(f"GET {where}", If_None_Match='"2"').json()["object"] == "Ada"


def test_only_the_value_that_was_seen_is_replaced(visitor: Visitor) -> None:
    home = "PUT /auth/me/memory/core/home"
    early = visitor.ask(home, {"value": "Rome"}, If_Match='"1"')
    assert (early.status_code, early.json()["error"]["code"]) == (409, "conflict")
    first = visitor.ask(home, {"value": "Oslo"}).headers["etag"]
    second = visitor.ask(home, {"value": "Lisbon"}, If_Match=first).headers["etag"]
    late = visitor.ask(home, {"value": "Rome"}, If_Match=first)
    assert (first, second, late.status_code) == ('"1"', '"2"', 409)
    assert visitor.ask("GET /auth/me/memory/core").json() == {"home": "Lisbon"}


def test_who_has_the_latest_revision_is_told_so(visitor: Visitor) -> None:
    name = visitor.ask("POST /v1/memories", {"text": "tea"}).json()["id"]
    for known in ('"1"', 'W/"1"', '"7", "1"', "*"):
        answer = visitor.ask(f"GET /v1/memories/{name}", If_None_Match=known)
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", '"1"')
    for other in ('"2"', "", "one"):
        assert visitor.ask(f"GET /v1/memories/{name}", If_None_Match=other).status_code == 200
    visitor.ask("POST /v1/memories", {"text": "coffee", "supersedes": name})
    closed = visitor.ask(f"GET /v1/memories/{name}", If_None_Match='"1"')
    assert closed.json()["known_to"] is not None
