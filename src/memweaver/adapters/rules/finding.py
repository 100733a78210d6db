"""The rules at work: what is worth remembering in a scene, found without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from memweaver.adapters.rules.commands import commanded
from memweaver.adapters.rules.dating import Telling, absolute, local, starts
from memweaver.adapters.rules.language import Language
from memweaver.adapters.rules.parser import Parser
from memweaver.adapters.rules.reading import LONGEST_SENTENCE, own_words
from memweaver.adapters.rules.shaping import attribute_of, implied, left_of, plain, shaped
from memweaver.adapters.rules.statements import Heard, Statement, said_anyway, statements
from memweaver.adapters.rules.worth import worth_keeping
from memweaver.domain.candidate import (
    LONGEST_CANDIDATE,
    MOST_CANDIDATES,
    Aspect,
    Candidate,
    CandidateKind,
    Scene,
    Wish,
)
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.wording import spelled

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.tokens import Doc

ASPECTS = {
    CandidateKind.EVENT: Aspect.EPISODIC,
    CandidateKind.ROUTINE: Aspect.PROCEDURAL,
    CandidateKind.INSTRUCTION: Aspect.PROCEDURAL,
}
"""Of the kinds not named here, the aspect is the semantic one."""
RECENT = 3
"""Messages before one that it is understood by."""
LATEST = 1_000
"""Characters of each of them, the last ones."""
MOST_SENTENCES = 60
END = re.compile(r"(?<=[.!?])\s+")
PLAINLY = 0.9
"""How sure one may be of what is told in so many words."""


class Rules:
    """Not to be used from the event loop: the interpreter is held while a sentence is parsed."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._parser = Parser(language) if language.parser else None

    def found(self, scene: Scene) -> list[Candidate]:
        """Of all aspects. Raises `ConfigurationError` if the parser is not installed."""
        known = {spelled(memory.text) for memory in (*scene.known, *scene.core)}
        found = [
            one
            for place, turn in enumerate(scene.turns)
            for one in self._in_turn(turn, (*scene.before, *scene.turns[:place]), scene.zone)
        ]
        return capped(
            [one for one in found if one.wish is not Wish.KEEP or spelled(one.text) not in known]
        )

    def _in_turn(self, turn: Turn, before: Sequence[Turn], zone: str) -> Iterator[Candidate]:
        earlier = [message for each in before[-RECENT:] for message in each.messages]
        for message in turn.messages:
            if message.role is Role.USER and (text := own_words(message.text)):
                yield from self._in_message(message, text, earlier[-RECENT:], turn, zone)
            earlier.append(message)

    def _in_message(
        self, message: Message, text: str, earlier: Sequence[Message], turn: Turn, zone: str
    ) -> Iterator[Candidate]:
        at, name = local(turn, zone), message.name or self._language.user
        found, rest = list[Candidate](), list[str]()
        for whole in END.split(text)[:MOST_SENTENCES]:
            sentence = whole[:LONGEST_SENTENCE]
            if self._language.has("unreal_sentence", sentence):
                continue
            ordered = list(self._ordered(sentence, name, turn.id, at))
            found += ordered
            if not ordered or self._language.has("ending", sentence):
                rest.append(sentence)
        if rest and self._parser is not None:
            heard = self._heard(self._parser, " ".join(rest), name, message, earlier)
            found += self._drawn(heard, turn.id, at)
        for one in found:
            yield replace(one, speaker=message.name or message.role.value)

    def _ordered(self, sentence: str, name: str, source: str, at: datetime) -> Iterator[Candidate]:
        """What a sentence tells in so many words to keep, to forget or to do."""
        for one in commanded(sentence, name, source, self._language, self._parser):
            telling = Telling(at, past=self._past(sentence))
            start = starts(one.text, telling) if one.kind is CandidateKind.EVENT else None
            told = absolute(one.text, telling)
            dated = replace(one, text=told, valid_from=start, attribute=self._attribute(one))
            yield dated
            if not self._language.has("ending", sentence):
                yield from left_of(dated, self._language)

    def _attribute(self, told: Candidate) -> str | None:
        """That of what somebody asks to keep is found as if they had only said it."""
        plainly = told.kind is CandidateKind.FACT and told.wish is Wish.KEEP
        return told.attribute or (attribute_of(told.text, self._language) if plainly else None)

    def _drawn(self, heard: Heard, source: str, at: datetime) -> Iterator[Candidate]:
        for told, telling, rate in self._told(heard, at):
            one = shaped(told, rate, source=source, telling=telling, language=self._language)
            yield one
            yield from implied(one, self._language)
            yield from left_of(one, self._language)

    def _past(self, sentence: str) -> bool:
        """Whether it tells of what was."""
        docs = self._parser.parsed([sentence]) if self._parser else []
        return any(token.tag_ == "VBD" for doc in docs for token in doc)

    def _heard(
        self, parser: Parser, text: str, name: str, message: Message, earlier: Sequence[Message]
    ) -> Heard:
        talk = [m for m in earlier if m.role in {Role.USER, Role.ASSISTANT}]
        docs: list[Doc] = parser.parsed([*(own_words(m.text)[-LATEST:] for m in talk), text])
        own = [(m.role, m.name) == (message.role, message.name) for m in talk]
        return Heard(docs[-1], name, list(zip(docs[:-1], own, strict=True)))

    def _told(self, heard: Heard, at: datetime) -> Iterator[tuple[str, Telling, float]]:
        """What is worth remembering of a message, and how sure of it one may be."""
        found = statements(heard, self._language)
        kept = {one.text: rate for one, rate in worth_keeping(found, heard, self._language)}
        chosen = [
            one
            for one in found
            if one.text in kept or plain(one, telling_of(one, at), self._language)
        ]
        texts = [one.text for one in chosen]
        for one in chosen:
            if not said_anyway(one, texts):
                yield one.text, telling_of(one, at), kept.get(one.text, PLAINLY)


def aspect_of(candidate: Candidate) -> Aspect:
    return ASPECTS.get(candidate.kind, Aspect.SEMANTIC)


def telling_of(statement: Statement, at: datetime) -> Telling:
    return Telling(at, statement.clause.past if statement.clause else None)


def capped(found: Sequence[Candidate]) -> list[Candidate]:
    """Each candidate once, and of each turn no more to keep in an aspect than are allowed."""
    once = {(spelled(one.text), one.tier, one.wish): one for one in reversed(found)}
    taken, kept = Counter[tuple[str, Aspect]](), list[Candidate]()
    for one in reversed(once.values()):
        place = (one.source, aspect_of(one))
        taken[place] += one.wish is Wish.KEEP
        allowed = one.wish is not Wish.KEEP or taken[place] <= MOST_CANDIDATES
        if allowed and one.text and len(one.text) <= LONGEST_CANDIDATE:
            kept.append(one)
    return kept
