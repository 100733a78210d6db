"""Every example runs, as whoever reads it would run it."""

import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.proxy.house import Guest, House, open_house
from tests.story.server import PATIENCE, serving

from memweaver.testing.speaking import Reply

EXAMPLES = Path(__file__).parents[2] / "examples"
ADA = "My sister Ada moved to Lisbon."
KNOWN = "sister Ada moved to Lisbon."
"""What is recalled of it, word for word or as it was reflected upon meanwhile."""
ANSWERS = ["I hope she likes it.", "She lives in Lisbon."]
"""What the model says in turn to whoever tells it of Ada, and then asks."""
SAID = {
    "quickstart.py": ["My sister Ada moved to Lisbon last week.", "Ann drinks tea with honey."],
    "quickstart_blocking.py": ["My sister Ada moved to Lisbon."],
    "many_ais.py": ["working_memory_1234_Kitchen_Helper", "Out of salt."],
    "rest.py": ["ok", "My sister Ada moved to Lisbon.", "<memory "],
    "two_ais.py": [
        "The doctor knows: The user is allergic to peanuts.",
        "The cook knows: nothing",
        "Now the cook knows: The user is allergic to peanuts.",
    ],
    "openai_client.py": ANSWERS,
    "langchain_chat.py": ANSWERS,
    "terminal_chat.py": ANSWERS,
}
IN_THE_LIBRARY = ["quickstart.py", "quickstart_blocking.py", "many_ais.py"]


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    with open_house(tmp_path_factory.mktemp("examples")) as opened:
        yield opened


@pytest.fixture
def guest(proxy: House) -> Guest:
    return proxy.guest()


def run_for(guest: Guest, name: str, folder: Path, typed: str = "") -> str:
    script = str(EXAMPLES / name)
    return run(sys.executable, script, guest.secret, guest.house.url, folder=folder, typed=typed)


def run(*command: str, folder: Path, typed: str = "") -> str:
    ended = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def test_every_example_is_here() -> None:
    assert {file.name for file in EXAMPLES.iterdir()} - {"__pycache__"} == set(SAID)


@pytest.mark.parametrize("name", IN_THE_LIBRARY)
def test_an_example_says_what_it_should_and_can_be_run_again(name: str, tmp_path: Path) -> None:
    for _ in range(2):
        said = run(sys.executable, str(EXAMPLES / name), str(tmp_path / "data"), folder=tmp_path)
        assert all(words in said for words in SAID[name])


def test_the_example_for_rest_talks_to_a_server(guest: Guest, tmp_path: Path) -> None:
    for _ in range(2):
        said = run_for(guest, "rest.py", tmp_path)
        assert all(words in said for words in SAID["rest.py"])

    assert len(guest.turns()) == 1


@pytest.mark.requirement("B5")
def test_the_example_of_two_ais_shares_and_leaves_nothing(guest: Guest, tmp_path: Path) -> None:
    for _ in range(2):
        assert run_for(guest, "two_ais.py", tmp_path).splitlines() == SAID["two_ais.py"]

    for kept in ("/v1/ais", "/v1/memories"):
        assert guest.get(kept).json()["items"] == []


@pytest.mark.requirement("B7", "B16")
@pytest.mark.parametrize("name", ["openai_client.py", "langchain_chat.py"])
def test_a_client_made_for_openai_is_told_what_was_said_in_another_session(
    name: str, guest: Guest, tmp_path: Path
) -> None:
    guest.house.script.replies += [Reply(answer) for answer in ANSWERS]

    said = run_for(guest, name, tmp_path)

    assert said.splitlines() == SAID[name]
    [first, second] = [asked["messages"][-1]["content"] for asked in guest.house.script.asked]
    assert first == ADA
    assert KNOWN in second
    assert second.endswith("Where does my sister live?")


def test_the_chat_in_the_terminal_remembers_and_forgets(guest: Guest, tmp_path: Path) -> None:
    guest.house.script.replies += [Reply(answer) for answer in ANSWERS]
    typed = ["Where does my sister live?", "/forget 0", "/recall sister Ada Lisbon", "/forget 0"]
    typed += ["/forget 1", "/recall Ada", "/forget 99", "/dance"]

    first = run_for(guest, "terminal_chat.py", tmp_path, f"{ADA}\n\n/quit\n")
    second = run_for(guest, "terminal_chat.py", tmp_path, "\n".join(typed))

    assert first.splitlines() == ANSWERS[:1]
    assert KNOWN in guest.asked["messages"][-1]["content"]
    answer, unshown, shown, *rest = second.splitlines()
    best = shown.removeprefix("1. ")
    assert answer == ANSWERS[1]
    assert KNOWN in best
    before = rest[: rest.index(f"Forgotten: {best}")]
    assert before[-1] == unshown
    assert unshown.startswith("There are /recall")
    after = rest[rest.index(f"Forgotten: {best}") + 1 :]
    assert not any(best in line for line in after)
    assert [line for line in after if line.startswith("There are /recall")] == after[-2:]


def test_the_chat_in_the_terminal_does_not_repeat_what_got_no_answer(
    guest: Guest, tmp_path: Path
) -> None:
    guest.house.script.first.append("bad_request")
    guest.house.script.replies.append(Reply(ANSWERS[0]))

    said = run_for(guest, "terminal_chat.py", tmp_path, f"Gibberish\n{ADA}\n")

    assert said.splitlines()[-1] == ANSWERS[0]
    assert not any("Gibberish" in str(one["content"]) for one in guest.asked["messages"])


def test_the_chat_in_the_terminal_says_what_is_missing(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        key, url = server.welcome["api_key"], server.welcome["url"]
        script = str(EXAMPLES / "terminal_chat.py")
        said = run(sys.executable, script, key, url, folder=tmp_path, typed="Hello\n")

    assert said.startswith("no_upstream: ")
    assert "MEMWEAVER_UPSTREAM__URL" in said
