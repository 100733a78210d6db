"""Dialogs whose turns are annotated with the facts they tell, read from JSON lines."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.dataset import BadData

END = re.compile(r"(?<=[.!?])\s+")
FIRST_PERSON = re.compile(r"\b(?:I|i|my|My)\b")
NAME = "User"
"""How memories name a speaker who gave no name."""
THIRD = (
    (re.compile(r"\b(?:I'm|I am|I\u2019m|im)\b", re.IGNORECASE), f"{NAME} is"),
    (re.compile(r"\b(?:I've|I have|I\u2019ve)\b", re.IGNORECASE), f"{NAME} has"),
    (re.compile(r"\bI(?:'|\u2019)ll\b", re.IGNORECASE), f"{NAME} will"),
    (re.compile(r"\bI(?:'|\u2019)d\b", re.IGNORECASE), f"{NAME} would"),
    (re.compile(r"\bI do\b", re.IGNORECASE), f"{NAME} does"),
    (re.compile(r"\bI\b", re.IGNORECASE), NAME),
    (re.compile(r"\bmy\b", re.IGNORECASE), "their"),
    (re.compile(r"\bmine\b", re.IGNORECASE), "theirs"),
    (re.compile(r"\bmyself\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\bme\b", re.IGNORECASE), "them"),
)
"""The words that change, and nothing else: the naive way has no parser to bend verbs with."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What somebody said, and what it tells of them, in their own voice."""

    speaker: str
    text: str
    facts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Dialog:
    id: str
    utterances: Sequence[Utterance]


def load(file: Path) -> list[Dialog]:
    """Raises `BadData`."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [dialog_from(line) for line in lines if line.strip()]
    except OSError as error:
        raise BadData(f"{file} cannot be read: {error.strerror}") from error
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise BadData(f"{file} holds no dialogs with facts: {error!r}") from error


def dialog_from(line: str) -> Dialog:
    raw = json.loads(line)
    return Dialog(str(raw["id"]), [utterance_from(turn) for turn in raw["turns"]])


def utterance_from(raw: dict[str, str]) -> Utterance:
    return Utterance(raw["speaker"], raw["text"], sentences(raw["facts"]))


def sentences(text: str) -> list[str]:
    return [sentence for sentence in END.split(text.strip()) if sentence]


def third_person(sentence: str) -> str:
    """A sentence about its speaker; annotated facts and the naive way get the same."""
    for said, told in THIRD:
        sentence = said.sub(told, sentence)
    return sentence[:1].upper() + sentence[1:]


def naive(text: str) -> list[str]:
    """Every first-person sentence that is not a question: what has no idea of what matters."""
    return [
        sentence
        for sentence in sentences(text)
        if not sentence.endswith("?") and FIRST_PERSON.search(sentence)
    ]
