"""The shapes of answers that models are held to, where a provider can hold them.

Every field is required and nothing else is allowed, as the strictest providers want it. What a
field may hold is checked again when an answer is read.
"""

from collections.abc import Mapping

from memweaver.domain.candidate import MOST_CANDIDATES, Aspect, CandidateKind, Wish
from memweaver.domain.decision import Action
from memweaver.domain.memory import Tier
from memweaver.ports.models import Schema

TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
SHARE: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
MOST_STATEMENTS = 4 * MOST_CANDIDATES
"""Of one turn: room for what is to be kept and for every wish to forget."""

KINDS: Mapping[Aspect, tuple[CandidateKind, ...]] = {
    Aspect.EPISODIC: (CandidateKind.EVENT,),
    Aspect.SEMANTIC: (CandidateKind.FACT, CandidateKind.PREFERENCE, CandidateKind.RELATION),
    Aspect.PROCEDURAL: (CandidateKind.ROUTINE, CandidateKind.INSTRUCTION),
}
"""What each aspect looks for; the first is meant where an answer does not say."""


def one_of(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def an_object(**fields: Schema) -> Schema:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


RELATION = an_object(subject=TEXT, subject_type=TEXT, predicate=TEXT, object=TEXT, object_type=TEXT)
SAID = {"turn": WHOLE, "speaker": TEXT, "text": TEXT}
TIMES = {"valid_from": TEXT_OR_NULL, "valid_to": TEXT_OR_NULL}
WEIGHTS = {"importance": SHARE, "confidence": SHARE}
WISH = {"wish": one_of(*Wish)}
FIELDS: Mapping[Aspect, Mapping[str, Schema]] = {
    Aspect.EPISODIC: {**SAID, **WISH, **TIMES, **WEIGHTS},
    Aspect.SEMANTIC: {
        **SAID,
        "kind": one_of(*KINDS[Aspect.SEMANTIC]),
        "tier": one_of(Tier.SEMANTIC, Tier.CORE, Tier.RELATIONAL),
        **WISH,
        "key": TEXT_OR_NULL,
        "attribute": TEXT_OR_NULL,
        "relation": {"anyOf": [RELATION, {"type": "null"}]},
        **TIMES,
        **WEIGHTS,
    },
    Aspect.PROCEDURAL: {**SAID, "kind": one_of(*KINDS[Aspect.PROCEDURAL]), **WISH, **WEIGHTS},
}


def memories_schema(aspect: Aspect, turns: int) -> Schema:
    return {"title": aspect.value, **an_object(memories=list_of(aspect, turns))}


def repair_schema(aspect: Aspect, turns: int) -> Schema:
    nothing: Schema = {"type": "boolean"}
    fields = an_object(nothing=nothing, memories=list_of(aspect, turns))
    return {"title": "repair", **fields}


def list_of(aspect: Aspect, turns: int) -> Schema:
    item = an_object(**FIELDS[aspect])
    return {"type": "array", "items": item, "maxItems": MOST_STATEMENTS * turns}


DECISION: Schema = {
    "title": "decide",
    **an_object(action=one_of(*Action), target={"type": ["integer", "null"]}, text=TEXT_OR_NULL),
}
