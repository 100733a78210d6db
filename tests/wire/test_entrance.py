"""Signing up, logging in and out, over the wire."""

from collections.abc import Generator
from pathlib import Path

import pytest
from tests.wire.house import House, Visitor, open_house

from memweaver.app.house_sections import AccessSettings
from memweaver.app.settings import Settings

ADMIN = "ada@example.org"
PASSWORD = "a long sentence nobody guesses"
NEW = {"name": "Ada", "email": ADMIN, "password": PASSWORD, "confirm": PASSWORD}


@pytest.fixture
def fresh(tmp_path: Path) -> Generator[House]:
    """A house of its own, with nobody in it yet."""
    access = AccessSettings(admin_email=ADMIN, logins_per_minute=1000)
    with open_house(Settings(data=tmp_path, access=access)) as house:
        yield house


def logged_in(house: House, email: str = ADMIN, password: str = PASSWORD) -> Visitor:
    answer = house.client.post("/login", json={"email": email, "password": password})
    assert answer.status_code == 200, answer.text
    return Visitor("owner", answer.json()["token"], house.client)


def test_the_admin_signs_up_once_and_logs_in(fresh: House) -> None:
    answer = fresh.client.post("/signup", json=NEW)
    assert (answer.status_code, answer.json()) == (201, {"msg": "User created successfully"})

    ada = logged_in(fresh)
    me = ada.ask("GET /v1/me").json()
    assert (me["user"], me["name"], me["email"]) == ("owner", "Ada", ADMIN)
    assert "admin" in me["permissions"]
    assert ada.ask("POST /v1/memories", {"text": "The fern is in the hall."}).status_code == 201
    assert fresh.client.post("/signup", json=NEW).status_code == 403


def test_what_is_missing_or_wrong_is_named(fresh: House) -> None:
    for request, body, field in (
        ("/signup", {**NEW, "confirm": "something else entirely"}, "confirm"),
        ("/signup", {**NEW, "password": "short", "confirm": "short"}, "password"),
        ("/signup", {**NEW, "email": "ada"}, "email"),
        ("/signup", {name: it for name, it in NEW.items() if name != "name"}, "name"),
        ("/signup", {**NEW, "role": "admin"}, "role"),
        ("/login", {"email": ADMIN}, "password"),
        ("/login", {"email": 1, "password": PASSWORD}, "email"),
    ):
        answer = fresh.client.post(request, json=body)
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, field)
        assert PASSWORD not in answer.text


def test_nobody_else_signs_up(fresh: House) -> None:
    said = set()
    fresh.client.post("/signup", json=NEW)
    for email in ("eve@example.org", ADMIN):
        answer = fresh.client.post("/signup", json={**NEW, "email": email})
        assert answer.status_code == 403
        said.add(answer.text)
    assert len(said) == 1


def test_who_signs_up_again_under_a_key_is_answered_as_before(fresh: House) -> None:
    def sign_up(key: str | None = "k", **other: str) -> tuple[int, str]:
        headers = {} if key is None else {"Idempotency-Key": key}
        answer = fresh.client.post("/signup", json={**NEW, **other}, headers=headers)
        return answer.status_code, answer.text

    words = "another long sentence"
    first = sign_up()
    assert (sign_up(), sign_up(email=" ADA@example.org")) == (first, first)
    assert first[0] == 201
    assert sign_up(name="Eve")[0] == 409
    stranger = sign_up(password=words, confirm=words)
    assert stranger == sign_up(None) == sign_up(email="eve@example.org")
    assert stranger == sign_up(name="Eve", password=words, confirm=words)
    assert stranger[0] == 403
    deeds = logged_in(fresh).ask("GET /v1/admin/audit").json()["items"]
    assert [deed["action"] for deed in deeds] == ["account made"]


def test_a_login_under_a_key_is_answered_anew(fresh: House) -> None:
    fresh.client.post("/signup", json=NEW)
    given = {"email": ADMIN, "password": PASSWORD}
    tokens = {
        fresh.client.post("/login", json=given, headers={"Idempotency-Key": "k"}).json()["token"]
        for _ in range(2)
    }
    assert len(tokens) == 2


def test_a_wrong_login_says_nothing_about_the_account(fresh: House) -> None:
    fresh.client.post("/signup", json=NEW)
    answers = [
        fresh.client.post("/login", json={"email": email, "password": password})
        for email, password in ((ADMIN, "another long sentence"), ("eve@example.org", PASSWORD))
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].content == answers[1].content


def test_after_logging_out_a_token_opens_nothing(fresh: House) -> None:
    fresh.client.post("/signup", json=NEW)
    ada, other = logged_in(fresh), logged_in(fresh)
    assert ada.ask("POST /v1/me/logout").status_code == 204
    assert ada.ask("GET /v1/me").status_code == 401
    assert other.ask("GET /v1/me").status_code == 200
    by_key = {"X-API-Key": other.secret}
    assert fresh.client.post("/v1/me/logout", headers=by_key).status_code == 204
    assert other.ask("GET /v1/me").status_code == 401
    assert fresh.client.get("/v1/me", headers=by_key).status_code == 401
    key = Visitor("owner", fresh.key_for("owner"), fresh.client)
    assert key.ask("POST /v1/me/logout").status_code == 401


def test_a_new_password_ends_the_logins_of_before(fresh: House) -> None:
    fresh.client.post("/signup", json=NEW)
    ada, words = logged_in(fresh), "quite another long sentence"
    change = {"current": PASSWORD, "password": words, "confirm": words}
    assert ada.ask("POST /v1/me/password", {**change, "current": words}).status_code == 401
    answer = ada.ask("POST /v1/me/password", change)
    assert answer.status_code == 200
    assert ada.ask("GET /v1/me").status_code == 401
    assert (
        Visitor("owner", answer.json()["token"], fresh.client).ask("GET /v1/me").status_code == 200
    )
    assert logged_in(fresh, password=words).ask("GET /v1/me").status_code == 200


def test_too_many_tries_are_refused_for_a_while(tmp_path: Path) -> None:
    access = AccessSettings(logins_per_minute=3, requests_per_minute=5)
    with open_house(Settings(data=tmp_path, access=access)) as house:
        wrong = {"email": ADMIN, "password": PASSWORD}
        answers = [house.client.post("/login", json=wrong) for _ in range(8)]
        assert [answer.status_code for answer in answers[:3]] == [401, 401, 401]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        visitor = house.visitor()
        asked = [visitor.ask("GET /v1/turns").status_code for _ in range(12)]
        assert (asked[0], asked[-1]) == (200, 429)
