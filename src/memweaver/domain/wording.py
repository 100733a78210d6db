"""Two statements, compared by their words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
APOSTROPHES = str.maketrans("\u2019", "'")
REWORDED = [
    (re.compile(find), put)
    for find, put in (
        (r"\bcan(?:'t|not| not) stand\b", "hates"),
        (r"\b(?:no longer|ya no|nicht mehr|nie mehr)\b", "not"),
        (r"\b(?:can't|cannot)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"\bn'", "ne "),
        (r"\b(?:d'|du\b|des\b) ?", "de "),
        (r"\bne a (?:plus|pas) (?:de )?", "not a "),
        (r"\bne ((?:\w+ ){1,2}?)(?:plus|pas|jamais)\b", r"not \1"),
        (r"\bnon ((?:\w+ ){1,2}?)(?:più|mai)\b", r"not \1"),
        (r" (?:any ?more|at all|mehr)$", ""),
        (r"\b(?:un|l)'", ""),
    )
]
"""Ways to deny, put as a word of its own, and what stands before a vowel taken off."""
DENIALS = frozenset(
    {
        *("not", "no", "never", "non", "nunca"),
        *("nicht", "nie", "kein", "keine", "keinem", "keinen", "keiner", "keines"),
    }
)
FEELINGS = {
    **dict.fromkeys(("likes", "enjoys", "mag", "aime"), 1),
    **dict.fromkeys(("loves", "adores", "liebt", "ama", "adora", "adore"), 2),
    "dislikes": -1,
    **dict.fromkeys(("hates", "detests", "loathes", "hasst", "odia", "detesta", "déteste"), -2),
}
"""How much somebody likes what: one verb with a sign."""
NEGATIONS = DENIALS | {word for word, feeling in FEELINGS.items() if feeling < 0}
NEGATIONS |= {"without", "nor", "neither", "mai", "jamais", "pas"}
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
UNSPECIFIC = frozenset(
    {
        *("a", "an", "the", "any", "der", "die", "das", "den", "dem", "ein", "eine", "einen"),
        *("einem", "il", "lo", "la", "i", "gli", "le", "el", "los", "las", "un", "una", "uno"),
        *("les", "une", "now", "currently", "again", "still"),
        *("jetzt", "wieder", "ora", "adesso", "ahora", "maintenant"),
    }
)
"""Articles, and times that narrow nothing."""
HISSING = ("s", "x", "z", "ch", "sh", "o")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a statement says, in the order it says it, and whether it says that it is not so."""

    readings: frozenset[tuple[str, ...]]
    """More than one where "does" may be a verb or a help to another."""
    denied: bool
    feeling: int


def spelled(text: str) -> str:
    """`text` apart from case, spaces and punctuation."""
    return " ".join(WORD.findall(text.casefold().translate(APOSTROPHES)))


def words(text: str) -> frozenset[str]:
    """The words of `text` that carry meaning."""
    return frozenset(spelled(text).split()) - EMPTY


def reworded(text: str) -> Sequence[str]:
    """All words of `text`, with every denial as a word of its own."""
    told = spelled(text)
    for find, put in REWORDED:
        told = find.sub(put, told)
    return told.split()


def negated(text: str) -> bool:
    return not NEGATIONS.isdisjoint(reworded(text))


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
    """Whether one denies all that the other says, and nothing less or else.

    Not to like is no denial of hating, and not to love none of liking.
    """
    mine, theirs = claimed(one), claimed(other)
    if mine.readings.isdisjoint(theirs.readings) or (mine.denied and theirs.denied):
        return False
    if mine.denied or theirs.denied:
        denial, held = (mine, theirs) if mine.denied else (theirs, mine)
        return held.feeling / denial.feeling >= 1
    return mine.feeling * theirs.feeling < 0


def claimed(text: str) -> Claim:
    told = reworded(text)
    said = [word for word in told if word not in DENIALS and word not in UNSPECIFIC]
    plain = without_help(said)
    feeling = next((FEELINGS[word] for word in plain if word in FEELINGS), 1)
    readings = frozenset({unfelt(said), unfelt(plain)} - {()})
    return Claim(readings, denied=not DENIALS.isdisjoint(told), feeling=feeling)


def without_help(said: Sequence[str]) -> Sequence[str]:
    """Such as it is said without "do": "does like" is "likes"."""
    at = next((place for place, word in enumerate(said) if word in {"do", "does"}), len(said))
    rest = said[at + 1 :]
    if said[at : at + 1] == ["does"]:
        rest = [*map(third_person, rest[:1]), *rest[1:]]
    return [*said[:at], *rest]


def third_person(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(HISSING) else f"{verb}s"


def unfelt(said: Sequence[str]) -> tuple[str, ...]:
    """With one word for every feeling, whatever its sign."""
    at = next((place for place, word in enumerate(said) if word in FEELINGS), len(said))
    return (*said[:at], *("likes" for _ in said[at : at + 1]), *said[at + 1 :])
