"""Reading the environment: what is wrong is said before anything is opened."""

from pathlib import Path

import pytest

from memweaver.app.sections import PostgresStore, SqliteStore
from memweaver.app.settings import load_settings
from memweaver.errors import ConfigurationError


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("POSTGRES_URL", raising=False)


def test_the_default_needs_nothing() -> None:
    settings = load_settings()
    assert (settings.store, settings.embedder.kind) == (SqliteStore(), "local")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MEMWEAVER_STOER__KIND", "sqlite", "unknown settings: MEMWEAVER_STOER__KIND"),
        ("MEMWEAVER_STORE__PAHT", "x", "MEMWEAVER_STORE__PAHT: Extra inputs"),
        ("MEMWEAVER_STORE__KIND", "oracle", "MEMWEAVER_STORE: .*'sqlite', 'postgres', 'memory'"),
        ("MEMWEAVER_STORE__KIND", "postgres", "set MEMWEAVER_STORE__URL"),
        ("MEMWEAVER_SERVER__HOST", "192.0.2.1", "without TLS"),
        ("MEMWEAVER_SERVER__HOST", "memory.example", "without TLS"),
        ("MEMWEAVER_SERVER__PORT", "99999", "MEMWEAVER_SERVER__PORT: .*65535"),
        ("MEMWEAVER_INDEX__KIND", "pgvector", "needs MEMWEAVER_STORE__KIND=postgres"),
        ("MEMWEAVER_KEYS__KIND", "environment", "MEMWEAVER_KEYS__MASTER_KEY: Field required"),
        ("MEMWEAVER_RECALL__LIMIT", "500", "RECALL__LIMIT is above MEMWEAVER_LIMITS__PAGE"),
        ("MEMWEAVER_CIPHER", "rot13", "MEMWEAVER_CIPHER: .*'aes-gcm' or 'fernet'"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=words):
        load_settings()


def test_a_misspelt_name_in_the_env_file_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MEMWEAVER_STOER__KIND=sqlite\n")
    with pytest.raises(ConfigurationError, match="MEMWEAVER_STOER__KIND"):
        load_settings()


def test_a_section_keeps_its_default_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWEAVER_STORE__PATH", "elsewhere.db")
    assert load_settings().store == SqliteStore(path=Path("elsewhere.db"))


@pytest.mark.requirement("D9")
def test_the_name_other_programs_use_for_postgres_is_understood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMWEAVER_STORE__KIND", "postgres")
    monkeypatch.setenv("POSTGRES_URL", "postgresql://u:secret@127.0.0.1/db")
    store = load_settings().store
    assert isinstance(store, PostgresStore)
    assert store.url.get_secret_value().endswith("@127.0.0.1/db")
    assert "secret" not in repr(store)


def test_a_wrong_secret_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWEAVER_KEYS__KIND", "environment")
    monkeypatch.setenv("MEMWEAVER_KEYS__MASTER_KEY", "hunter2")
    monkeypatch.setenv("MEMWEAVER_KEYS__PATH", "nowhere")
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    assert "hunter2" not in str(caught.value)


def test_a_public_address_is_served_behind_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWEAVER_SERVER__HOST", "192.0.2.1")
    monkeypatch.setenv("MEMWEAVER_SERVER__BEHIND_TLS", "true")
    assert load_settings().server.behind_tls
