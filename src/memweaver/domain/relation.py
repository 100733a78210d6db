"""Relations: who is what to whom, kept as memories of the relational tier."""

from collections.abc import Mapping
from dataclasses import asdict, fields

from memweaver.domain.candidate import Relation
from memweaver.domain.memory import Memory
from memweaver.domain.scope import checked_name
from memweaver.errors import InvalidInput, UnknownPredicate

PREDICATES = (
    "works_at",
    "reports_to",
    "stakeholder_of",
    "last_contacted_on",
    "owes_followup",
    "custom",
)
"""What a person may say by hand; reflection also finds others (`has_sister`)."""
TYPES = ("person", "company", "project", "topic")
LONGEST_LABEL = 128


def checked_relation(relation: Relation) -> Relation:
    """Raises `InvalidInput`, which names the field; `UnknownPredicate`."""
    for field in ("subject", "object"):
        if len(checked_name(field, getattr(relation, field))) > LONGEST_LABEL:
            raise InvalidInput(f"`{field}` is longer than {LONGEST_LABEL} characters")
    for field in ("subject_type", "object_type"):
        if getattr(relation, field) not in TYPES:
            raise InvalidInput(f"`{field}` must be one of {', '.join(TYPES)}")
    if relation.predicate not in PREDICATES:
        raise UnknownPredicate(f"`predicate` must be one of {', '.join(PREDICATES)}")
    return relation


def relation_of(memory: Memory) -> Relation:
    """What a relational memory says; one that names no ends tells something about the user."""
    told = memory.metadata.get("relation")
    if isinstance(told, Mapping) and all(
        isinstance(told.get(field.name), str) for field in fields(Relation)
    ):
        return Relation(**{field.name: told[field.name] for field in fields(Relation)})
    return Relation("User", "person", "custom", memory.text, "topic")


def same(one: Relation, other: Relation) -> bool:
    """Whether both say the same, apart from case; what kind of thing the ends are is beside it."""
    return key_of(one) == key_of(other)


def key_of(relation: Relation) -> tuple[str, str, str]:
    return (
        relation.subject.casefold(),
        relation.predicate.casefold(),
        relation.object.casefold(),
    )


def sentence(relation: Relation) -> str:
    """The relation in words, as it is embedded and searched."""
    return f"{relation.subject} {relation.predicate.replace('_', ' ')} {relation.object}"


def told(relation: Relation) -> dict[str, object]:
    """As it lies in a memory's metadata, where reflection puts it too."""
    return {"kind": "relation", "relation": asdict(relation)}
