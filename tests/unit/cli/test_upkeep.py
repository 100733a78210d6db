"""Commands for whoever runs it: users, keys, schema, vectors."""

import platform
import sqlite3
from importlib.metadata import version

import pytest
from tests.unit.cli.conftest import Terminal

from memweaver.cli.errors import EXIT_CODES, exit_code
from memweaver.errors import BackendUnavailable, MemweaverError, StorageFull, TooLarge


def test_a_users_key_is_shown_once_and_can_be_revoked(terminal: Terminal) -> None:
    made = terminal.json("users", "add", "ann", "--label", "laptop")
    said = terminal.type("users", "keys", "ann").said

    assert made["api_key"].startswith("mw_")
    assert made["key_id"] in said
    assert "laptop" in said
    assert made["api_key"] not in said
    assert terminal.json("users", "list") == {"users": [{"user": "ann", "api_keys": 1}]}

    assert terminal.type("users", "revoke", made["key_id"]).code == 0
    assert terminal.json("users", "keys", "ann")["keys"][0]["revoked_at"]
    assert terminal.json("users", "list") == {"users": [{"user": "ann", "api_keys": 0}]}
    assert terminal.type("users", "revoke", "nothing").code == 3


def test_keys_are_renewed_and_everything_stays_readable(terminal: Terminal) -> None:
    turn = terminal.json("record", "Hello")
    before = terminal.json("keys", "status")

    for which in (("--master",), ("--user", "owner"), ("--all-users",)):
        ended = terminal.type("keys", "rotate", *which)
        assert (ended.code, ended.said) == (0, "rotated\n")

    after = terminal.json("keys", "status")
    assert before["users"] == after["users"] == 1
    assert after["master_version"] > before["master_version"]
    assert terminal.json("turns", "show", turn["id"]) == turn


@pytest.mark.parametrize("which", [(), ("--master", "--all-users"), ("--user", "a", "--master")])
def test_which_key_to_renew_must_be_said(which: tuple[str, ...], terminal: Terminal) -> None:
    assert terminal.type("keys", "rotate", *which).code == 2


def test_a_destroyed_key_leaves_nothing_to_read(terminal: Terminal) -> None:
    turn = terminal.json("record", "Hello", "--user", "ann")
    kept = terminal.json("record", "Hello")

    assert terminal.type("keys", "destroy", "--user", "ann").code == 1
    assert terminal.json("turns", "show", turn["id"], "--user", "ann") == turn
    assert terminal.type("keys", "destroy", "--user", "ann", "--yes").code == 0
    assert terminal.type("turns", "show", turn["id"], "--user", "ann").code == 3
    assert terminal.json("turns", "show", kept["id"]) == kept


def test_the_schema_moves_forth_and_back(terminal: Terminal) -> None:
    status = terminal.json("migrate", "status")
    assert status["at"] == "base"
    assert not (terminal.folder / "data").exists()

    newest = status["newest"]
    assert terminal.type("migrate").said == f"migrated from base to {newest}\n"
    assert terminal.type("migrate").said == f"already at {newest}\n"
    assert terminal.json("migrate", "status")["at"] == newest
    assert terminal.type("migrate", "--to", "base").code == 1
    assert terminal.type("migrate", "--to", "base", "--yes").code == 0
    assert terminal.type("migrate", "status").said.startswith("at base,")
    assert terminal.type("migrate", "--to", "nowhere").code == 2
    assert terminal.type("migrate").code == 0
    assert terminal.type("record", "Hello").code == 0


def test_a_schema_newer_than_the_program_is_one_sentence(terminal: Terminal) -> None:
    terminal.type("migrate")
    with sqlite3.connect(terminal.folder / "data" / "memweaver.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()

    for words in (
        ("migrate",),
        ("migrate", "status"),
        ("record", "Hello"),
        ("serve", "--port", "0"),
    ):
        ended = terminal.type(*words)
        assert (ended.code, ended.said) == (8, "")
        assert ended.complained.startswith("memweaver: the database has schema 9999")
        assert ended.complained.count("\n") == 1


def test_the_store_in_memory_has_no_schema(terminal: Terminal) -> None:
    terminal.monkeypatch.setenv("MEMWEAVER_STORE__KIND", "memory")

    assert terminal.type("migrate").code == 6


def test_how_far_embedding_is_can_be_asked_and_finished(terminal: Terminal) -> None:
    terminal.type("record", "Hello")

    assert terminal.json("embed", "status") == {"embedded": 1, "total": 1}
    assert terminal.type("embed", "run").said == "1 of 1 records are embedded\n"


def test_the_version_is_told(terminal: Terminal) -> None:
    ours, python = version("memweaver"), platform.python_version()

    assert terminal.type("version").said == f"memweaver {ours} on Python {python}\n"
    assert terminal.json("version") == {"memweaver": ours, "python": python}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TooLarge("x"), 2),
        (BackendUnavailable("x"), 8),
        (StorageFull("x"), 8),
        (MemweaverError("x"), 1),
    ],
)
def test_an_error_ends_a_command_as_its_family_does(error: MemweaverError, code: int) -> None:
    assert exit_code(error) == code


def test_every_family_has_an_exit_code_of_its_own() -> None:
    assert len(set(EXIT_CODES.values())) == len(EXIT_CODES)
