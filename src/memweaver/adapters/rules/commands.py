"""What people tell an assistant to keep, to forget and to do; and who is what to whom."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from memweaver.adapters.rules.language import Command, Language
from memweaver.adapters.rules.parser import Parser
from memweaver.adapters.rules.voice import sentence, third, told
from memweaver.domain.candidate import Candidate, CandidateKind, Relation, Wish
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority

READ = {"kind": CandidateKind, "tier": Tier, "wish": Wish, "authority": Authority}
LACKING = {"said": "", "does": "I", "doing": "I am"}
"""What is missing before the parts that are sentences in the first person."""
PLAIN = re.compile(r"\W+")


def commanded(
    text: str, name: str, source: str, language: Language, parser: Parser | None
) -> Iterator[Candidate]:
    """The candidates for one sentence of which a command is made; several may fit."""
    if text.endswith("?") and not language.has("request", text):
        return
    for clause in language.clauses(text):
        for command, found in fitting(clause, language):
            parts = {
                key: voiced(key, (value or "").strip(" .,!"), name, language, parser)
                for key, value in found.groupdict().items()
            }
            order = candidate(command, parts, name, source)
            yield from meant_by(order, parts.get("told", ""), name, language) or [order]


def fitting(clause: str, language: Language) -> Iterator[tuple[Command, re.Match[str]]]:
    """The commands that a clause fits, each as often as it does, up to one that ends the search."""
    for command in language.commands:
        matches = list(command.pattern.finditer(clause))
        for found in matches:
            yield command, found
        if matches and command.fields.get("last"):
            return


def meant_by(order: Candidate, told: str, name: str, language: Language) -> Sequence[Candidate]:
    """The statements that an order to keep or forget what is `told` means, if they say it all."""
    if not all(covered(clause, language) for clause in language.clauses(told)):
        return []
    found = [
        replace(one, importance=order.importance)
        for one in commanded(told, name, order.source, language, None)
    ]
    if order.wish is Wish.KEEP:
        return found
    # To forget that something no longer holds is not to forget that it held.
    held = all(one.wish is Wish.KEEP for one in found)
    return [replace(one, wish=order.wish) for one in found] if held else []


def covered(clause: str, language: Language) -> bool:
    """Whether a clause fits a command up to its end."""
    return any(not clause[found.end() :].strip(" .,!") for _, found in fitting(clause, language))


def voiced(key: str, text: str, name: str, language: Language, parser: Parser | None) -> str:
    """A part that is a sentence about the speaker, in the third person; any other as it is.

    What somebody is `doing` becomes what they do.
    """
    if key not in LACKING or parser is None or not text:
        return text
    [doc] = parser.parsed([f"{LACKING[key]} {text}".strip()])
    whole = told(list(doc), name, language).rstrip(".")
    if key == "doing":
        does = third(doc[2].lemma_.lower(), language)
        whole = whole.replace(f"is {doc[2].text}", does, 1)
    return whole


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
