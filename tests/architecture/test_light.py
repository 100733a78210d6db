"""Light: what only some need is loaded only by those."""

import subprocess
import sys

import pytest

HEAVY = ("spacy", "onnx", "aio_pika", "redis", "psycopg", "pgvector")
ASKING = f"import memweaver, sys; print([name for name in {HEAVY} if name in sys.modules])"

HEAVY_FOR_A_CLIENT = (
    *HEAVY,
    "onnxruntime",
    "numpy",
    "sqlalchemy",
    "fastapi",
    "cryptography",
    "socketio",
    "memweaver.app",
    "memweaver.services",
)
CONNECTING = (
    "import memweaver.client.blocking, sys;"
    f"print([name for name in {HEAVY_FOR_A_CLIENT} if name in sys.modules])"
)

HEAVY_FOR_A_COMMAND = (*HEAVY, "onnxruntime", "numpy", "sqlalchemy", "fastapi")
TYPING = (
    "import atexit, sys; from memweaver.cli import main;"
    f"asked = {HEAVY_FOR_A_COMMAND};"
    "atexit.register(lambda: print([name for name in asked if name in sys.modules]));"
    "main()"
)


def loaded(program: str, *words: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, check=True, text=True
    )
    return answer.stdout.splitlines()[-1]


def test_importing_the_package_loads_none_of_the_heavy_ones() -> None:
    assert loaded(ASKING) == "[]"


def test_a_heavy_one_would_be_seen() -> None:
    assert loaded(f"import redis; {ASKING}") == "['redis']"


def test_importing_the_client_loads_nothing_of_the_server() -> None:
    assert loaded(CONNECTING) == "[]"


def test_the_server_behind_a_client_would_be_seen() -> None:
    assert "memweaver.app" in loaded(f"import memweaver; memweaver.open; {CONNECTING}")


@pytest.mark.parametrize("words", ["version", "--help", "recall --help", "jobs drain --help"])
def test_a_command_that_opens_nothing_loads_nothing_of_the_server(words: str) -> None:
    assert loaded(TYPING, *words.split()) == "[]"


def test_the_server_behind_a_command_would_be_seen() -> None:
    assert "fastapi" in loaded(TYPING, "serve", "--help")
