"""What the engine knows of a language: a data file for each."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from memweaver.errors import ConfigurationError

FOLDER = Path(__file__).parent / "languages"

PIECE = re.compile(r"@(\w+)@")

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Command:
    """A way of telling an assistant what to keep, and what becomes of it.

    `text` is filled with what the pattern's groups caught. The rest are fields of a candidate.
    """

    pattern: Pattern
    text: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Language:
    name: str
    parser: str | None
    """The package of its spaCy model; without one there are patterns only."""
    user: str
    """What a speaker without a name is called."""
    repairs: Sequence[tuple[Pattern, str]]
    """How hurried spelling is set right before it is parsed."""
    voice: Mapping[str, Any]
    """How the first person becomes the third."""
    words: Mapping[str, frozenset[str]]
    """Classes of words, by name."""
    patterns: Mapping[str, Pattern]
    commands: Sequence[Command]
    implied: Sequence[Command]
    """What follows from an event, told in the third person: who moved somewhere lives there."""
    weights: Mapping[str, float]
    """How much each mark of a statement speaks for its being worth remembering."""
    mood: Mapping[str, float]
    """The same for the marks of a whole message."""

    def repaired(self, text: str) -> str:
        for find, put in self.repairs:
            text = find.sub(put, text)
        return text

    def clauses(self, text: str) -> Sequence[str]:
        """What a sentence says one after the other, up to what depends on something else.

        An order is one clause, and so is every sentence of a language that knows no `clause`.
        """
        between = self.patterns.get("clause")
        if between is None or self.has("order", text):
            return [text]
        found = between.split(text)
        ends = (place for place, each in enumerate(found, 1) if self.has("depending", each))
        return found[: next(ends, None)]

    def has(self, pattern: str, text: str) -> bool:
        """Whether `text` has it; a language need not know every pattern."""
        return self.found(pattern, text) is not None

    def found(self, pattern: str, text: str) -> re.Match[str] | None:
        known = self.patterns.get(pattern)
        return known.search(text) if known else None


@cache
def language_named(name: str) -> Language:
    """Raises `ConfigurationError`, which names the languages there are."""
    known = sorted(file.stem for file in FOLDER.glob("*.toml"))
    if name not in known:
        raise ConfigurationError(
            f"there are no rules for the language `{name}`; known are {', '.join(known)}"
        )
    return read(name, tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def read(name: str, raw: Mapping[str, Any]) -> Language:
    pieces = raw.get("pieces", {})
    return Language(
        name=name,
        parser=raw.get("parser"),
        user=raw["user"],
        repairs=[(re.compile(find), put) for find, put in raw.get("repairs", [])],
        voice=raw.get("voice", {}),
        words={kind: frozenset(words) for kind, words in raw.get("words", {}).items()},
        patterns={kind: compiled(text, pieces) for kind, text in raw.get("patterns", {}).items()},
        commands=[command_from(each, pieces) for each in raw["commands"]],
        implied=[command_from(each, pieces) for each in raw.get("implied", [])],
        weights=raw.get("weights", {}),
        mood=raw.get("mood", {}),
    )


def command_from(raw: Mapping[str, Any], pieces: Mapping[str, str]) -> Command:
    fields = {field: value for field, value in raw.items() if field not in {"find", "text"}}
    return Command(compiled(raw["find"], pieces), raw["text"], fields)


def compiled(text: str, pieces: Mapping[str, str]) -> Pattern:
    return re.compile(pieced(text, pieces), re.IGNORECASE)


def pieced(text: str, pieces: Mapping[str, str]) -> str:
    return PIECE.sub(lambda found: pieced(pieces[found[1]], pieces), text)
