"""Reading the environment: what is wrong is said before anything is opened."""

from operator import attrgetter
from pathlib import Path

import pytest
from pydantic import SecretStr

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
        ("MEMWEAVER_ACCESS__TOKEN_SECRET", "secret", "can be guessed"),
        ("MEMWEAVER_ACCESS__TOKEN_SECRET", "x" * 64, "can be guessed"),
        ("MEMWEAVER_ACCESS__TOKEN_SECRET", "your-secret-key-change-in-production", "openssl rand"),
        ("JWT_SECRET_KEY", "changeme", "JWT_SECRET_KEY. can be guessed"),
        ("JWT_SECRET_KEY", "Change_Me-1234567890abcdefghijklmno", "can be guessed"),
        ("ADMIN_EMAIL", "ada", "ADMIN_EMAIL. must be an e-mail address"),
        ("MEMWEAVER_ACCESS__SIGNUP", "anybody", "'admin' or 'open'"),
        ("MEMWEAVER_ACCESS__TOKEN_MINUTES", "0", "greater than 0"),
        ("MEMWEAVER_ACCESS__LOGINS_PER_MINUTE", "0", "greater than 0"),
        ("MEMWEAVER_ACCESS__KEYS_PER_HOUR", "-1", "greater than 0"),
        ("MEMWEAVER_ACCESS__REQUESTS_PER_MINUTE", "-1", "greater than or equal to 0"),
        ("MEMWEAVER_ACCESS__TOKENS_PER_DAY", "many", "valid integer"),
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


@pytest.mark.parametrize(
    "given",
    ['["127.0.0.1"]', "[]", "[one.example,two.example]", "'one.example'", "one two", "[a:b"],
)
def test_a_list_that_is_not_written_with_commas_is_refused(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("MEMWEAVER_EVENTS__WEBHOOK_HOSTS", given)
    with pytest.raises(ConfigurationError, match=r"WEBHOOK_HOSTS: .*separated by commas"):
        load_settings()


def test_a_list_is_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWEAVER_EVENTS__WEBHOOK_HOSTS", " 127.0.0.1 , hooks.example, ")
    monkeypatch.setenv("MEMWEAVER_SERVER__ORIGINS", "https://chat.example,http://[::1]:3000")
    settings = load_settings()
    assert settings.events.webhook_hosts == ("127.0.0.1", "hooks.example")
    assert settings.server.origins == ("https://chat.example", "http://[::1]:3000")


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


@pytest.mark.requirement("D9")
@pytest.mark.parametrize(
    ("name", "place", "default", "given"),
    [
        ("REFLECTOR_WORKERS", "reflector.workers", "3", "7"),
        ("REFLECTOR_BATCH_SIZE", "reflector.batch_size", "10", "7"),
        ("REFLECTOR_MAX_RETRIES", "reflector.max_retries", "3", "0"),
        ("REFLECTOR_RETRY_DELAY", "reflector.retry_delay", "30.0", "0.5"),
        ("MEMORY_FAST_MODE", "reflector.fast_mode", "true", "false"),
        ("REFLECTION_QUEUE_ENABLED", "reflector.queue_enabled", "true", "false"),
        ("RABBITMQ_URL", "rabbitmq.url", "", "amqp://127.0.0.1/"),
        ("RABBITMQ_PASSWORD", "rabbitmq.password", "", "hunter2"),
        ("RABBITMQ_EXCHANGE", "rabbitmq.exchange", "memory_reflection_exchange", "bells"),
        ("RABBITMQ_QUEUE", "rabbitmq.queue", "memory_reflection_queue", "bells"),
        ("REDIS_URL", "redis.url", "", "redis://127.0.0.1/0"),
    ],
)
def test_the_names_that_others_use_are_understood(
    monkeypatch: pytest.MonkeyPatch, name: str, place: str, default: str, given: str
) -> None:
    def setting() -> str:
        value = attrgetter(place)(load_settings())
        return value.get_secret_value() if isinstance(value, SecretStr) else str(value).lower()

    monkeypatch.delenv(name, raising=False)
    assert setting() == default
    monkeypatch.setenv(name, given)
    assert setting() == given


@pytest.mark.requirement("D9")
@pytest.mark.parametrize("section", ["embedder", "extractor"])
def test_the_key_for_openai_may_have_its_usual_name(
    monkeypatch: pytest.MonkeyPatch, section: str
) -> None:
    monkeypatch.setenv(f"MEMWEAVER_{section.upper()}__KIND", "openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    assert getattr(load_settings(), section).api_key == SecretStr("sk-of-nobody")


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


def test_a_random_secret_for_tokens_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c")
    assert load_settings().access.token_secret.get_secret_value().startswith("9f86")


@pytest.mark.requirement("B17")
def test_the_literal_names_are_read_from_a_file_and_the_environment_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("JWT_SECRET_KEY", "OPENAI_API_KEY_FLASK_APP", "ADMIN_EMAIL", "FLASK_APP_SECRET_KEY")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    secret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c"
    (tmp_path / ".env").write_text(
        f"FLASK_APP_SECRET_KEY=unused\nJWT_SECRET_KEY={secret}\n"
        "OPENAI_API_KEY_FLASK_APP=sk-one\nADMIN_EMAIL=ada@example.org\n"
    )
    settings = load_settings()
    assert settings.access.token_secret == SecretStr(secret)
    assert settings.access.admin_email == "ada@example.org"
    assert settings.upstream.api_key == SecretStr("sk-one")
    monkeypatch.setenv("ADMIN_EMAIL", "bea@example.org")
    assert load_settings().access.admin_email == "bea@example.org"
