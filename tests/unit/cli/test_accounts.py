"""`memweaver accounts`, and keys for services."""

import io
import sys
from typing import Any

import pytest
from tests.unit.cli.conftest import Terminal

from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.cli.leaving import EndingWhenTold
from memweaver.cli.opened import run
from memweaver.cli.serve import offer_admin

PASSWORD = "a long sentence nobody guesses"


def test_the_first_admin_is_the_owner(terminal: Terminal) -> None:
    made = terminal.type("accounts", "add-admin", "ada@example.org", then=f"{PASSWORD}\n")
    assert (made.code, made.said) == (0, "made owner (admin, home)\n")
    assert PASSWORD not in made.said
    again = terminal.type("accounts", "add-admin", "ada@example.org", then=f"{PASSWORD}\n")
    assert again.code != 0
    short = terminal.type("accounts", "add-admin", "eve@example.org", then="short\n")
    assert "at least 12 characters" in short.complained


def test_accounts_are_made_listed_disabled_and_enabled(terminal: Terminal) -> None:
    words = ("accounts", "add", "ann@example.org", "--name", "Ann", "--organisation", "acme")
    made = terminal.type(*words, "--json", then=f"{PASSWORD}\n").json
    user = made["user"]
    assert (made["role"], made["organisation"]) == ("member", "acme")
    assert terminal.json("accounts", "list")["items"] == [made]
    assert "ann@example.org" in terminal.type("accounts", "list").said
    assert terminal.json("accounts", "disable", user)["disabled_at"]
    assert terminal.json("accounts", "enable", user)["disabled_at"] is None
    assert terminal.type("accounts", "disable", "nobody").code == 3
    assert terminal.json("users", "list") == {"users": []}


def test_a_forgotten_password_is_set_anew(terminal: Terminal) -> None:
    made = terminal.type("accounts", "add", "ann@example.org", "--json", then=f"{PASSWORD}\n").json
    words = "quite another long sentence"
    for who in (made["user"], "ann@example.org"):
        done = terminal.type("accounts", "reset-password", who, then=f"{words}\n")
        assert (done.code, words in done.said) == (0, False)
        assert made["user"] in done.said
    entered = run(lambda services: services.accounts.log_in("ann@example.org", words))
    assert entered.account.user == made["user"]
    deeds = run(lambda services: services.audit.latest())
    assert [deed.action for deed in deeds] == ["password reset"] * 2 + ["account made"]
    nobody = terminal.type("accounts", "reset-password", "nobody", then=f"{words}\n")
    short = terminal.type("accounts", "reset-password", made["user"], then="short\n")
    assert (nobody.code, short.code) == (3, 2)


def test_the_e_mail_address_of_an_account_names_its_user(terminal: Terminal) -> None:
    made = terminal.type("accounts", "add", "ann@example.org", "--json", then=f"{PASSWORD}\n").json
    issued = terminal.json("users", "add", "ann@example.org")
    assert issued["user"] == made["user"]
    assert issued["user"] in terminal.type("users", "add", "ANN@example.org").said
    assert len(terminal.json("users", "keys", made["user"])["keys"]) == 2
    assert terminal.json("users", "add", "ben@example.org")["user"] == "ben@example.org"


def test_a_key_can_be_limited_or_a_services(terminal: Terminal) -> None:
    words = ("users", "add", "ann", "--permission", "read", "--ai", "work")
    unknown = terminal.type(*words)
    assert (unknown.code, "`ai`: there is no AI 'work'" in unknown.complained) == (2, True)
    run(lambda services: services.ais.register("ann", "work", "Work"))
    terminal.json(*words, "--expires", "2999-06-01")
    [key] = terminal.json("users", "keys", "ann")["keys"]
    assert (key["permissions"], key["ai"], key["expires_at"][:4]) == (["read"], "work", "2999")
    service = terminal.json("users", "add", "chat", "--realm", "webui")
    assert len(service["signing_secret"]) >= 32
    said = terminal.type("users", "add", "chat", "--realm", "webui").said
    assert "X-Memweaver-User" in said
    assert "act chat read write" in terminal.type("users", "keys", "chat").said
    assert terminal.type("users", "add", "memweaver:house").code == 2


def test_what_signs_logins_is_renewed(terminal: Terminal) -> None:
    assert terminal.type("keys", "rotate", "--tokens").said == "rotated\n"
    terminal.monkeypatch.setenv("JWT_SECRET_KEY", "Zq8v3kLm0pXw7RtY2nBc5sDf9gHj1aQe")
    assert "change it there" in terminal.type("keys", "rotate", "--tokens").complained


async def test_whoever_starts_it_is_asked_for_the_first_admin(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    settings = Settings(data=tmp_path)
    async with (
        EndingWhenTold() as ending,
        open_services(settings, working=False) as services,
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
        await offer_admin(services, settings, ending)
        assert await services.accounts.all() == []

        monkeypatch.setattr(sys, "stdin", io.StringIO(f"ada@example.org\nAda\n{PASSWORD}\n"))
        await offer_admin(services, settings, ending)
        [ada] = await services.accounts.all()
        assert (ada.user, ada.name) == ("owner", "Ada")

        monkeypatch.setattr(sys, "stdin", io.StringIO())
        await offer_admin(services, settings, ending)
