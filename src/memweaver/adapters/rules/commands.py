"""What people tell an assistant to keep, to forget and to do; and who is what to whom."""

import re
from collections.abc import Iterator
from typing import Any

from memweaver.adapters.rules.language import Command, Language
from memweaver.adapters.rules.parser import Parser
from memweaver.adapters.rules.voice import sentence, told
from memweaver.domain.candidate import Candidate, CandidateKind, Relation, Wish
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority

READ = {"kind": CandidateKind, "tier": Tier, "wish": Wish, "authority": Authority}
PLAIN = re.compile(r"\W+")


def commanded(
    text: str, name: str, source: str, language: Language, parser: Parser | None
) -> Iterator[Candidate]:
    """The candidates for one sentence of which a command is made; several may fit."""
    if text.endswith("?") and not language.has("request", text):
        return
    for command in language.commands:
        if found := command.pattern.search(text):
            parts = {key: (value or "").strip(" .,!") for key, value in found.groupdict().items()}
            parts = {
                key: voiced(key, value, name, language, parser) for key, value in parts.items()
            }
            yield candidate(command, parts, name, source)
            if command.fields.get("last"):
                return


def voiced(key: str, text: str, name: str, language: Language, parser: Parser | None) -> str:
    """`said` is a sentence in the first person, `does` one without "I"; the rest is as it is."""
    if key not in {"said", "does"} or parser is None or not text:
        return text
    [doc] = parser.parsed([f"I {text}" if key == "does" else text])
    return told(list(doc), name, language).rstrip(".")


def candidate(command: Command, parts: dict[str, str], name: str, source: str) -> Candidate:
    def filled(form: str) -> str:
        return form.format(name=name, **parts)

    fields: dict[str, Any] = {
        field: READ[field](value) if field in READ else value
        for field, value in command.fields.items()
        if field not in {"relation", "key", "last", "attribute"}
    }
    for field in ("key", "attribute"):
        if field in command.fields:
            fields[field] = PLAIN.sub("_", filled(command.fields[field]).lower()).strip("_")
    if related := command.fields.get("relation"):
        filled_in = {part: filled(form) for part, form in related.items()}
        filled_in["predicate"] = PLAIN.sub("_", filled_in["predicate"].lower())
        fields["relation"] = Relation(**filled_in)
    return Candidate(text=sentence(filled(command.text)), source=source, **fields)
