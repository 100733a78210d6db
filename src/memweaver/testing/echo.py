"""What a model answers that finds every sentence worth remembering, as it was said.

For tests and benchmarks that need answers in the right shape, and know what should be in them.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

SENTENCE = re.compile(r"[^.!?]+[.!?]?")
TURN = re.compile(r"turn (\d+), said on .*")
SPEAKER, SAID = "speaker: ", "| "
MOST = 50
"""Statements in one answer; a model has only so many tokens."""


def echo(purpose: str, data: str) -> Mapping[str, object]:
    """The answer to a question of `adapters.prompted`: facts are found, other aspects find none."""
    match purpose:
        case "semantic":
            return {"memories": list(islice(statements(data), MOST))}
        case "decide":
            return {"action": "add", "target": None, "text": None}
        case "repair":
            return {"nothing": False, "memories": []}
        case _:
            return {"memories": []}


def statements(data: str) -> Iterator[Mapping[str, object]]:
    turn, speaker = 0, ""
    for line in data.splitlines():
        if heading := TURN.fullmatch(line):
            turn = int(heading[1])
        elif line.startswith(SPEAKER):
            speaker = line.removeprefix(SPEAKER)
        elif turn and line.startswith(SAID):
            for sentence in SENTENCE.findall(line.removeprefix(SAID)):
                yield statement(turn, speaker, sentence.strip())


def statement(turn: int, speaker: str, text: str) -> Mapping[str, object]:
    return {
        "turn": turn,
        "speaker": speaker,
        "text": text,
        "kind": "fact",
        "tier": "semantic",
        "wish": "keep",
        "key": None,
        "attribute": None,
        "relation": None,
        "valid_from": None,
        "valid_to": None,
        "importance": 0.5,
        "confidence": 0.9,
    }
