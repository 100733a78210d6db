"""Two statements, compared by their words."""

import re

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
APOSTROPHES = str.maketrans("\u2019", "'")
NEGATIONS = frozenset(
    {
        *("not", "no", "never", "without", "cannot", "can't", "don't", "doesn't", "didn't"),
        *("won't", "isn't", "aren't", "wasn't", "nor", "neither", "hates", "dislikes"),
        *("non", "mai", "nunca", "jamais", "pas", "nicht", "kein", "keine", "nie"),
    }
)
ENDINGS = frozenset(
    {
        *("quit", "quits", "stopped", "gave", "given", "left", "resigned", "ended"),
        *("sold", "lost", "donated", "divorced", "died"),
    }
)
EMPTY = frozenset(
    {
        *("a", "an", "the", "of", "to", "in", "on", "at", "for", "and", "or", "but", "with", "as"),
        *("is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did"),
        *("user", "user's", "their", "they", "them", "he", "she", "his", "her", "it", "its"),
        *("that", "this", "by", "from", "also", "very", "really", "currently", "now"),
    }
)
NUMBERS = frozenset(
    {
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        *("eleven", "twelve"),
    }
)
ALIKE = 0.5
"""Share of the words of the shorter statement that the other has too, if both are of one thing."""


def spelled(text: str) -> str:
    """`text` apart from case, spaces and punctuation."""
    return " ".join(WORD.findall(text.casefold().translate(APOSTROPHES)))


def words(text: str) -> frozenset[str]:
    """The words of `text` that carry meaning."""
    return frozenset(spelled(text).split()) - EMPTY


def negated(text: str) -> bool:
    return not NEGATIONS.isdisjoint(spelled(text).split())


def denies(text: str) -> bool:
    """Whether it says that something is not so, or not any more."""
    return negated(text) or not ENDINGS.isdisjoint(spelled(text).split())


def details(text: str) -> frozenset[str]:
    """What makes two statements differ although they sound alike: numbers, names, denial."""
    named = {word.casefold() for word in WORD.findall(text)[1:] if word[0].isupper()}
    counted = {
        word
        for word in spelled(text).split()
        if word in NUMBERS or any(character.isdigit() for character in word)
    }
    return frozenset(named | counted | ({"not"} if negated(text) else set()))


def contradicts(one: str, other: str) -> bool:
    """Whether one denies what the other says, of the same thing."""
    mine, theirs = words(one) - NEGATIONS, words(other) - NEGATIONS
    fewer = min(len(mine), len(theirs))
    return negated(one) != negated(other) and 0 < ALIKE * fewer <= len(mine & theirs)
