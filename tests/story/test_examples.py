"""Every example runs, as whoever reads it would run it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.story.server import PATIENCE, serving

EXAMPLES = Path(__file__).parents[2] / "examples"
SAID = {
    "quickstart.py": ["My sister Ada moved to Lisbon last week.", "Ann drinks tea with honey."],
    "quickstart_blocking.py": ["My sister Ada moved to Lisbon."],
    "many_ais.py": ["working_memory_1234_Kitchen_Helper", "Out of salt."],
    "rest.py": ["ok", "My sister Ada moved to Lisbon.", "<memory "],
}


def run(*command: str, folder: Path) -> str:
    ended = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def test_every_example_is_here() -> None:
    assert {file.name for file in EXAMPLES.iterdir()} - {"__pycache__"} == set(SAID)


@pytest.mark.parametrize("name", [name for name in SAID if name != "rest.py"])
def test_an_example_says_what_it_should_and_can_be_run_again(name: str, tmp_path: Path) -> None:
    for _ in range(2):
        said = run(sys.executable, str(EXAMPLES / name), str(tmp_path / "data"), folder=tmp_path)
        assert all(words in said for words in SAID[name])


def test_the_example_for_rest_talks_to_a_server(tmp_path: Path) -> None:
    script = str(EXAMPLES / "rest.py")
    with serving(tmp_path) as server:
        key, url = server.welcome["api_key"], server.welcome["url"]
        for _ in range(2):
            said = run(sys.executable, script, key, url, folder=tmp_path)
            assert all(words in said for words in SAID["rest.py"])
        turns = server.ask("GET", "/v1/turns", key).json()["items"]

    assert len(turns) == 1
