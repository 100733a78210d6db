"""Dialogs whose turns are annotated with the facts they tell, read from JSON lines."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spacy.tokens import Doc

from benchmarks.dataset import BadData
from memweaver.adapters.rules.language import Language
from memweaver.adapters.rules.voice import told

END = re.compile(r"(?<=[.!?])\s+")
FIRST_PERSON = re.compile(r"\b(?:I|i|my|My)\b")
NAME = "User"
"""How memories name a speaker who gave no name."""


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


def third_person(sentence: Doc, language: Language) -> str:
    """A parsed sentence in the voice memories are written in; annotated facts get the same."""
    return told(list(sentence), NAME, language)


def naive(text: str) -> list[str]:
    """Every first-person sentence that is not a question: what has no idea of what matters."""
    return [
        sentence
        for sentence in sentences(text)
        if not sentence.endswith("?") and FIRST_PERSON.search(sentence)
    ]
