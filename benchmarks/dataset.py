"""Conversations with questions and the evidence that answers them, read from JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memweaver.domain.conversation import Message, Role

ROLES = {"User": Role.USER, "Assistant": Role.ASSISTANT}
"""Speakers that are roles of an assistant chat; all others are people with a name."""


class BadData(Exception):
    """A file that is not in the format; the message says where."""


@dataclass(frozen=True, slots=True)
class Utterance:
    id: str
    session: str
    at: datetime
    message: Message


@dataclass(frozen=True, slots=True)
class Query:
    """A question. One that is not `counted` is reported apart, under its type."""

    text: str
    type: str
    evidence: frozenset[str]
    counted: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    utterances: Sequence[Utterance]
    queries: Sequence[Query]

    @property
    def texts(self) -> list[str]:
        """What each utterance is embedded and searched as."""
        return [utterance.message.spoken for utterance in self.utterances]


@dataclass(frozen=True, slots=True)
class DataSet:
    name: str
    conversations: Sequence[Conversation]

    @property
    def queries(self) -> list[Query]:
        return [query for conversation in self.conversations for query in conversation.queries]


def load(path: Path) -> list[DataSet]:
    """The data set in a file, or those in the files of a folder. Raises `BadData`."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise BadData(f"{path} holds no .json file")
    return [read(file) for file in files]


def read(file: Path) -> DataSet:
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
        return DataSet(raw["name"], [conversation_from(each) for each in raw["conversations"]])
    except OSError as error:
        raise BadData(f"{file} cannot be read: {error.strerror}") from error
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise BadData(f"{file} is not a recall data set: {error!r}") from error


def conversation_from(raw: Mapping[str, list[Mapping[str, object]]]) -> Conversation:
    utterances = [utterance_from(turn) for turn in raw["turns"]]
    known = {utterance.id for utterance in utterances}
    queries = [query_from(question, known) for question in raw["questions"]]
    return Conversation(str(raw["id"]), utterances, [query for query in queries if query.evidence])


def utterance_from(raw: Mapping[str, object]) -> Utterance:
    at = datetime.fromisoformat(str(raw["at"]))
    return Utterance(
        id=str(raw["id"]),
        session=str(raw["session"]),
        at=at if at.tzinfo else at.replace(tzinfo=UTC),
        message=message_of(str(raw["speaker"]), str(raw["text"])),
    )


def message_of(speaker: str, text: str) -> Message:
    if speaker in ROLES:
        return Message(ROLES[speaker], text)
    return Message(Role.USER, text, speaker)


def query_from(raw: Mapping[str, object], known: set[str]) -> Query:
    evidence = raw["evidence"]
    if not isinstance(evidence, list):
        raise TypeError("`evidence` must be a list")
    return Query(
        text=str(raw["text"]),
        type=str(raw["type"]),
        evidence=frozenset(map(str, evidence)) & known,
        counted=bool(raw.get("counted", True)),
    )
