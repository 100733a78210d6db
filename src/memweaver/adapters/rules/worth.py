"""Which statements are worth remembering: their marks are weighed, then those of the whole."""

from collections.abc import Sequence
from math import exp, log, prod

from memweaver.adapters.rules.language import Language
from memweaver.adapters.rules.statements import Heard, Statement

LEAST = 0.35
"""How likely a statement must be to be worth it."""
LEAST_MOOD = 0.78
"""How likely a message must be to hold anything at all."""


def worth_keeping(
    found: Sequence[Statement], heard: Heard, language: Language
) -> list[tuple[Statement, float]]:
    """The statements to remember and how sure of each one may be; often none."""
    rated = [(each, likely(weight(each, language))) for each in found]
    if not rated or mood([rate for _, rate in rated], heard, language) < LEAST_MOOD:
        return []
    return [(each, rate) for each, rate in rated if rate >= LEAST]


def weight(statement: Statement, language: Language) -> float:
    weights = language.weights
    return weights["start"] + sum(weights.get(mark, 0.0) for mark in statement.marks)


def mood(rates: Sequence[float], heard: Heard, language: Language) -> float:
    """How likely it is that people who speak like this tell something of themselves."""
    weights = language.mood
    some = 1 - prod(1 - rate for rate in rates)
    total = weights["start"] + weights["best"] * odds(max(rates)) + weights["some"] * odds(some)
    asked = heard.before[-1][0].text if heard.before else ""
    for mark, text in (("said", heard.doc.text), ("asked", asked)):
        for name, value in weights.items():
            kind, _, pattern = name.partition(":")
            if kind == mark and text and language.has(pattern, text):
                total += value
    return likely(total)


def likely(weight: float) -> float:
    return 1 / (1 + exp(-weight))


def odds(share: float) -> float:
    share = min(max(share, 0.001), 0.999)
    return log(share / (1 - share))
