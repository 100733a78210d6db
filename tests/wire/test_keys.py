"""Keys, accounts and acting for others, over the wire."""

import time
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import jwt
import pytest
from tests.wire.house import House, Visitor, open_house
from tests.wire.test_admin_jobs import a_dead_job
from tests.wire.test_entrance import ADMIN, NEW, PASSWORD, logged_in

from memweaver.app.house_sections import AccessSettings
from memweaver.app.settings import Settings
from memweaver.domain.principal import EVERYTHING
from memweaver.interfaces.rest.wire.access import Grantable

BEN = {"name": "Ben", "email": "ben@example.org", "password": PASSWORD}


HOOK = {"url": "https://hooks.example/"}
OPERATORS = ("/v1/admin/audit", "/metrics")
"""What concerns everybody in the house."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    """A house with an admin."""
    folder: Path = tmp_path_factory.mktemp("home")
    access = AccessSettings(admin_email=ADMIN, logins_per_minute=1000, keys_per_hour=1000)
    with open_house(Settings(data=folder, access=access)) as house:
        house.client.post("/signup", json=NEW)
        yield house


def with_key(visitor: Visitor, **wanted: object) -> Visitor:
    answer = visitor.ask("POST /v1/keys", {"label": "test", **wanted})
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return Visitor(visitor.user, answer.json()["secret"], visitor.client)


def an_ai(visitor: Visitor) -> str:
    return str(visitor.ask("POST /v1/ais", {"name": "One"}).json()["id"])


def test_a_key_is_shown_once_listed_without_its_secret_and_revoked_at_once(
    visitor: Visitor,
) -> None:
    made = visitor.ask("POST /v1/keys", {"label": "laptop"}).json()
    laptop = Visitor(visitor.user, made["secret"], visitor.client)
    assert laptop.ask("GET /v1/turns").status_code == 200

    listed = visitor.ask("GET /v1/keys")
    assert made["key"] in listed.json()["items"]
    assert made["secret"] not in listed.text

    assert visitor.ask(f"DELETE /v1/keys/{made['key']['id']}").status_code == 204
    assert laptop.ask("GET /v1/turns").status_code == 401


def test_a_webhook_stays_when_the_key_ends_that_added_it_and_goes_with_its_ai(
    visitor: Visitor,
) -> None:
    wanted, work = {"label": "laptop", "permissions": ["read", "keys"]}, an_ai(visitor)
    made = visitor.ask("POST /v1/keys", wanted).json()
    laptop = Visitor(visitor.user, made["secret"], visitor.client)
    for ai in (None, work):
        assert laptop.ask("POST /v1/webhooks", {**HOOK, "ai": ai}).status_code == 201
    assert visitor.ask(f"DELETE /v1/keys/{made['key']['id']}").status_code == 204
    assert [one["ai"] for one in visitor.ask("GET /v1/webhooks").json()["items"]] == [None, work]
    assert visitor.ask(f"DELETE /v1/ais/{work}").status_code == 204
    [left] = visitor.ask("GET /v1/webhooks").json()["items"]
    assert left["ai"] is None
    assert visitor.ask(f"DELETE /v1/webhooks/{left['id']}").status_code == 204


def test_a_foreign_key_is_as_missing(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    theirs = ann.ask("POST /v1/keys", {"label": "laptop"}).json()["key"]["id"]
    nobodys = "0" * 8 + theirs[8:]
    foreign, missing = (ben.ask(f"DELETE /v1/keys/{one}") for one in (theirs, nobodys))
    assert foreign.status_code == missing.status_code == 404
    assert foreign.text.replace(theirs, "") == missing.text.replace(nobodys, "")
    assert theirs not in ben.ask("GET /v1/keys").text


def test_a_key_may_read_only_or_be_for_one_ai(visitor: Visitor) -> None:
    reader = with_key(visitor, permissions=["read"])
    assert reader.ask("GET /v1/memories").status_code == 200
    assert reader.ask("POST /v1/memories", {"text": "x"}).status_code == 403
    assert reader.ask("POST /v1/keys", {"label": "more"}).status_code == 403
    work, home = an_ai(visitor), an_ai(visitor)
    bound = with_key(visitor, ai=work)
    assert bound.ask(f"GET /v1/memories?ai={work}").status_code == 200
    assert bound.ask(f"GET /v1/memories?ai={home}").status_code == 404
    assert visitor.ask(f"DELETE /v1/ais/{work}").status_code == 204
    assert bound.ask(f"GET /v1/memories?ai={work}").status_code == 401


def test_no_key_is_for_an_ai_that_is_not_ones_own(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    theirs, nobodys = an_ai(ann), "nil"
    answers = [ben.ask("POST /v1/keys", {"label": "x", "ai": ai}) for ai in (theirs, nobodys)]
    for answer in answers:
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, "ai")
    assert answers[0].text.replace(theirs, nobodys) == answers[1].text


def test_a_key_for_one_ai_sees_and_ends_nothing_of_others(visitor: Visitor) -> None:
    work, home = an_ai(visitor), an_ai(visitor)
    every = (None, work, home)
    keys = {ai: visitor.ask("POST /v1/keys", {"label": "x", "ai": ai}).json() for ai in every}
    hooks = {ai: visitor.ask("POST /v1/webhooks", {**HOOK, "ai": ai}).json() for ai in every}
    bound = with_key(visitor, ai=work, permissions=["read", "keys"])

    assert {key["ai"] for key in bound.ask("GET /v1/keys").json()["items"]} == {work}
    assert {one["ai"] for one in bound.ask("GET /v1/webhooks").json()["items"]} == {work}
    made = bound.ask("POST /v1/keys", {"label": "child"}).json()["key"]
    assert made["ai"] == work
    for ai, status in {None: 404, home: 404, work: 204}.items():
        key, told = keys[ai]["key"]["id"], hooks[ai]["webhook"]["id"]
        assert bound.ask(f"DELETE /v1/keys/{key}").status_code == status
        assert bound.ask(f"DELETE /v1/webhooks/{told}").status_code == status
    for path in ("keys", "webhooks"):
        more = {"label": "x"} if path == "keys" else HOOK
        assert bound.ask(f"POST /v1/{path}", {**more, "ai": home}).status_code == 404


def test_a_key_is_revoked_once_however_often_that_is_asked(house: House) -> None:
    admin = house.admin()
    made = admin.ask("POST /v1/keys", {"label": "laptop"}).json()["key"]["id"]
    for _ in range(2):
        assert admin.ask(f"DELETE /v1/keys/{made}").status_code == 204

    deeds = admin.ask("GET /v1/admin/audit").json()["items"]
    assert [one["action"] for one in deeds if one["subject"] == made] == ["key revoked", "key made"]


def test_nobody_makes_a_key_with_more_than_they_have(visitor: Visitor) -> None:
    holder = with_key(visitor, permissions=["keys"])
    for more in ("read", "admin"):
        answer = holder.ask("POST /v1/keys", {"label": "more", "permissions": [more]})
        assert answer.status_code == 403
        assert answer.json()["error"]["message"] == f"this credential lacks the permission `{more}`"
    for body, field in (
        ({"label": ""}, "label"),
        ({"label": "x", "permissions": ["everything"]}, "permissions.0"),
        ({"label": "x", "permissions": ["act"]}, "permissions.0"),
        ({"label": "x", "expires_at": "2001-01-01T00:00:00Z"}, "expires_at"),
        ({"label": "x", "realm": "webui"}, "realm"),
        ({"label": "x", "user": "owner"}, "user"),
    ):
        answer = visitor.ask("POST /v1/keys", body)
        assert answer.status_code == 400
        assert answer.json()["error"]["field"] == field
        assert "'act'" not in answer.json()["error"]["message"]
    assert set(get_args(Grantable)) == EVERYTHING


def test_no_key_that_is_less_than_a_login_touches_accounts(home: House) -> None:
    ada = logged_in(home)
    soon = (datetime.now(UTC) + timedelta(minutes=1)).isoformat()
    everything = ["read", "write", "chat", "keys", "admin"]
    ben = ada.ask("POST /v1/users", {**BEN, "email": "benny@example.org"}).json()["user"]
    for wanted, why in (
        ({"permissions": ["admin"]}, "a key without `chat`, `keys`, `read`, `write` cannot make"),
        ({"permissions": everything, "ai": an_ai(ada)}, "a key for one AI cannot make"),
        ({"permissions": everything, "expires_at": soon}, "a key that expires cannot make"),
    ):
        less = with_key(ada, **wanted)
        for request, body in (
            ("POST /v1/users", {**BEN, "email": "eve@example.org", "role": "admin"}),
            (f"PATCH /v1/users/{ben}", {"disabled": True}),
            (f"PATCH /v1/users/{ben}", {"disabled": False}),
        ):
            answer = less.ask(request, body)
            assert answer.status_code == 403
            assert why in answer.json()["error"]["message"]
        for path in ("/v1/users", f"/v1/users/{ben}", *OPERATORS):
            assert less.ask(f"GET {path}").status_code == 200
    assert "eve@example.org" not in ada.ask("GET /v1/users").text
    full = with_key(ada, permissions=everything)
    assert full.ask(f"PATCH /v1/users/{ben}", {"disabled": True}).status_code == 200


def test_an_admin_makes_disables_and_enables_accounts(home: House) -> None:
    ada = logged_in(home)
    made = ada.ask("POST /v1/users", BEN)
    assert made.status_code == 201
    assert PASSWORD not in made.text
    user = made.json()["user"]
    assert ada.ask("POST /v1/users", BEN).status_code == 409
    ben = logged_in(home, BEN["email"])
    key = with_key(ben)
    assert ben.ask("GET /v1/users").status_code == 403
    assert user in ada.ask("GET /v1/users").text

    assert ada.ask(f"PATCH /v1/users/{user}", {"disabled": True}).json()["disabled_at"]
    assert ben.ask("GET /v1/me").status_code == key.ask("GET /v1/me").status_code == 401
    assert ada.ask(f"PATCH /v1/users/{user}", {"disabled": False}).status_code == 200
    assert ben.ask("GET /v1/me").status_code == 401
    assert key.ask("GET /v1/me").status_code == 200
    assert ada.ask("PATCH /v1/users/owner", {"disabled": True}).status_code == 400

    noted = [deed["action"] for deed in ada.ask("GET /v1/admin/audit").json()["items"]]
    assert noted[:4] == ["account enabled", "account disabled", "key made", "account made"]
    assert ben.ask("GET /v1/admin/audit").status_code == 401
    assert key.ask("GET /v1/admin/audit").status_code == 403


def test_an_admin_of_another_organisation_sees_only_that(home: House) -> None:
    ada = logged_in(home)
    boss = {**BEN, "email": "boss@acme.example", "role": "admin", "organisation": "acme"}
    ada.ask("POST /v1/users", boss)
    theirs = logged_in(home, boss["email"])
    clerk = {**BEN, "email": "clerk@acme.example"}
    made = theirs.ask("POST /v1/users", clerk).json()
    assert made["organisation"] == "acme"
    assert theirs.ask("POST /v1/users", {**clerk, "organisation": "home"}).status_code == 403
    emails = {one["email"] for one in theirs.ask("GET /v1/users").json()["items"]}
    assert emails == {boss["email"], clerk["email"]}
    for method in ("GET", "PATCH"):
        body = {"disabled": True} if method == "PATCH" else None
        foreign = theirs.ask(f"{method} /v1/users/owner", body)
        missing = theirs.ask(f"{method} /v1/users/nobod", body)
        assert foreign.status_code == missing.status_code == 404
        assert foreign.text.replace("owner", "") == missing.text.replace("nobod", "")
    assert {theirs.ask(f"GET {path}").status_code for path in OPERATORS} == {403}
    assert {ada.ask(f"GET {path}").status_code for path in OPERATORS} == {200}
    assert ada.ask(f"GET /v1/users/{made['user']}").status_code == 404


def test_an_admin_of_another_organisation_learns_nothing_of_the_jobs_of_others(
    home: House,
) -> None:
    ada = logged_in(home)
    boss = {**BEN, "email": "boss@globex.example", "role": "admin", "organisation": "globex"}
    own = ada.ask("POST /v1/users", boss).json()["user"]
    theirs = logged_in(home, boss["email"])
    theirs_dead, foreign_dead = a_dead_job(home, own), a_dead_job(home, "owner")

    everybody = theirs.ask("GET /v1/admin/jobs")
    assert (everybody.status_code, everybody.json()["error"]["field"]) == (400, "user")
    foreign, missing = (theirs.ask(f"GET /v1/admin/jobs?user={one}") for one in ("owner", "nobod"))
    assert foreign.status_code == missing.status_code == 404
    assert foreign.text.replace("owner", "") == missing.text.replace("nobod", "")
    [job] = theirs.ask(f"GET /v1/admin/jobs?user={own}").json()["items"]
    assert job["job_id"] == theirs_dead

    for request_line in ("POST /v1/admin/jobs/{}/retry?user=", "DELETE /v1/admin/jobs/{}?user="):
        refused = theirs.ask(request_line.format(foreign_dead) + "owner")
        unknown = theirs.ask(request_line.format(foreign_dead) + "nobod")
        assert refused.status_code == unknown.status_code == 404
        assert refused.text == unknown.text
        assert theirs.ask(request_line.format(foreign_dead) + own).status_code == 404
    assert len(ada.ask("GET /v1/admin/jobs?user=owner").json()["items"]) == 1
    assert theirs.ask(f"DELETE /v1/admin/jobs/{theirs_dead}?user={own}").status_code == 204


def test_a_service_acts_for_whom_it_signs_and_for_nobody_else(house: House) -> None:
    assert house.client.portal
    make = house.services.access.create
    issued = house.client.portal.call(lambda: make("owner", "chat", realm="webui"))
    service = Visitor("webui:u-1", issued.secret, house.client)
    now = int(time.time())
    claims = {"sub": "u-1", "iss": "open-webui", "iat": now, "exp": now + 60}
    signed = jwt.encode(claims, issued.signing or "")

    kept = service.ask("POST /v1/memories", {"text": "Likes figs."}, X_Memweaver_User=signed)
    assert kept.status_code == 201
    me = service.ask("GET /v1/me", X_Memweaver_User=signed).json()
    assert (me["user"], me["permissions"]) == ("webui:u-1", ["chat", "read", "write"])
    other = jwt.encode({**claims, "sub": "u-2"}, issued.signing or "")
    assert service.ask("GET /v1/memories", X_Memweaver_User=other).json()["items"] == []

    nobody = service.ask("GET /v1/memories")
    assert nobody.status_code == 403
    assert "X-Memweaver-User" in nobody.text
    assert service.ask("GET /v1/memories", X_Memweaver_User="webui:u-1").status_code == 401
    assert house.visitor().ask("GET /v1/turns", X_Memweaver_User=signed).status_code == 403
    both = {"Authorization": f"Bearer {issued.secret}"}
    several = [*both.items(), ("X-Memweaver-User", signed), ("X-Memweaver-User", other)]
    assert house.client.get("/v1/memories", headers=several).status_code == 401
