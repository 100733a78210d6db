"""What cannot work is one sentence that says what to do, and nothing half-written."""

import json
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Ended, Terminal


def refused(ended: Ended, code: int, *words: str) -> None:
    assert (ended.code, ended.said) == (code, ""), ended.complained
    assert ended.complained.startswith("memweaver: ")
    assert ended.complained.count("\n") == 1, ended.complained
    for word in words:
        assert word in ended.complained


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")
    }


def test_a_missing_master_key(terminal: Terminal) -> None:
    terminal.type("record", "Hello")
    key = terminal.folder / "data" / "master.key"
    aside = key.rename(terminal.folder / "aside.key")
    before = snapshot(key.parent)

    refused(terminal.type("record", "Hello again"), 10, str(key), "missing")

    assert snapshot(key.parent) == before
    aside.rename(key)
    assert len(terminal.json("turns", "list")["items"]) == 1


def test_a_wrong_master_key(terminal: Terminal) -> None:
    terminal.type("record", "Hello")
    key = terminal.folder / "data" / "master.key"
    right = key.rename(terminal.folder / "right.key")
    terminal.monkeypatch.setenv("MEMWEAVER_DATA", str(terminal.folder / "other"))
    terminal.type("record", "Hello")
    (terminal.folder / "other" / "master.key").rename(key)
    terminal.monkeypatch.setenv("MEMWEAVER_DATA", str(key.parent))
    before = snapshot(key.parent)

    for words in (("record", "Hello again"), ("recall", "Hello"), ("serve", "--port", "0")):
        refused(terminal.type(*words), 10, "master key")

    assert snapshot(key.parent) == before
    right.rename(key)
    assert len(terminal.json("turns", "list")["items"]) == 1


@pytest.mark.parametrize(
    ("content", "mode"),
    [(b"", 0o600), (b"not json", 0o600), (b'{"keys": 1}', 0o600), (None, 0o644)],
    ids=["empty", "no JSON", "another shape", "open to others"],
)
def test_a_key_file_that_cannot_be_used(
    content: bytes | None, mode: int, terminal: Terminal
) -> None:
    terminal.type("record", "Hello")
    file = terminal.folder / "data" / "master.key"
    if content is not None:
        file.write_bytes(content)
    file.chmod(mode)

    for words in (("record", "Hello again"), ("serve", "--port", "0")):
        refused(terminal.type(*words), 10, str(file))


def test_a_misspelt_setting(terminal: Terminal) -> None:
    terminal.monkeypatch.setenv("MEMWEAVER_STOER__KIND", "sqlite")

    refused(terminal.type("record", "Hello"), 10, "MEMWEAVER_STOER__KIND")
    assert not (terminal.folder / "data").exists()


def test_a_setting_that_cannot_be(terminal: Terminal) -> None:
    terminal.monkeypatch.setenv("MEMWEAVER_SERVER__PORT", "high")

    refused(terminal.type("serve"), 10, "MEMWEAVER_SERVER__PORT")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_a_public_address_without_tls(host: str, terminal: Terminal) -> None:
    refused(terminal.type("serve", "--host", host), 10, f"refusing to listen on {host}", "TLS")
    assert not (terminal.folder / "data").exists()


def test_a_data_folder_that_is_a_file(terminal: Terminal) -> None:
    (terminal.folder / "data").write_text("in the way")

    refused(terminal.type("record", "Hello"), 10, str(terminal.folder / "data"))


def test_a_database_that_is_none(terminal: Terminal) -> None:
    terminal.type("record", "Hello")
    (terminal.folder / "data" / "memweaver.db").write_bytes(b"something else entirely" * 1000)

    refused(terminal.type("record", "Hello again"), 8)


def test_a_postgres_that_is_not_there(terminal: Terminal) -> None:
    terminal.monkeypatch.setenv("MEMWEAVER_STORE__KIND", "postgres")
    terminal.monkeypatch.setenv("MEMWEAVER_STORE__URL", "postgresql://u:hush@127.0.0.1:1/x")

    ended = terminal.type("record", "Hello")
    refused(ended, 8)
    assert "hush" not in ended.complained


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("memories", "add", "x", "--tier", "attic"), "attic"),
        (("memories", "move", "x", "attic"), "attic"),
        (("recall", "x", "--tier", "attic"), "attic"),
        (("record", "x" * 64_001), "64000"),
        (("record", " ", "--session", ""), "`session`"),
        (("record", "\udcff"), "`text`"),
        (("recall", " "), "`query`"),
        (("recall", "x", "--limit", "0"), "`limit`"),
        (("turns", "list", "--cursor", "x"), "`cursor`"),
        (("turns", "list", "--user", ""), "`user`"),
        (("memories", "add", "x", "--importance", "2"), "`importance`"),
    ],
)
def test_bad_input_is_refused_by_name(
    words: tuple[str, ...], named: str, terminal: Terminal
) -> None:
    refused(terminal.type(*words), 2, named)


@pytest.mark.parametrize(
    "words",
    [
        ("recall", "x", "--colour", "red"),
        ("recall", "x", "--as-of", "yesterday"),
        ("record", "x", "--role", "king"),
        ("paint",),
    ],
)
def test_an_option_that_does_not_exist_is_refused(
    words: tuple[str, ...], terminal: Terminal
) -> None:
    ended = terminal.type(*words)

    assert (ended.code, ended.said) == (2, "")
    assert not (terminal.folder / "data").exists()


def test_another_embedding_model_finds_old_memories_and_embeds_them_anew(
    terminal: Terminal,
) -> None:
    turn = terminal.json("record", "My sister moved to Lisbon.")
    terminal.monkeypatch.setenv("MEMWEAVER_EMBEDDER__KIND", "ollama")
    terminal.monkeypatch.setenv("MEMWEAVER_EMBEDDER__URL", "http://127.0.0.1:1")
    terminal.monkeypatch.setenv("MEMWEAVER_EMBEDDER__RETRIES", "0")

    ended = terminal.type("recall", "my sister", "--json")
    assert [hit["id"] for hit in ended.json["hits"]] == [turn["id"]]
    assert ended.json["by_meaning"] is False
    assert json.loads(terminal.type("embed", "status", "--json").said) == {
        "embedded": 0,
        "total": 1,
    }
    assert terminal.type("embed", "run").code == 9
    assert terminal.type("record", "She likes it there.").code == 0

    for name in ("KIND", "URL", "RETRIES"):
        terminal.monkeypatch.delenv(f"MEMWEAVER_EMBEDDER__{name}")
    assert terminal.type("embed", "run").said == "2 of 2 records are embedded\n"
