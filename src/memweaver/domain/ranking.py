"""The recipe of recall: what counts for a record, and how much.

A record's score is a weighted sum of terms, each between 0 and 1, divided by the sum of the
weights of those terms that the question calls for. The weights were tuned on chats between two
friends (LoCoMo), real chats (REALTALK) and chats between a user and an assistant (BEAM), and every
change is judged by the data set that likes it least. Most names below say which set wants them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Every number of the recipe, with the reason for it."""

    meaning: float = 0.80
    """Likeness of the vectors of the bare question and of the record. All sets: without it recall
    at ten falls by 0.04 to 0.11. The bare question has no names: they drown what is asked."""

    neighbour: float = 0.20
    """Share of the likeness of the record before and after in the session that is added to a
    record's own: short messages mean little without them. BEAM and REALTALK."""
    reply: float = 1.0
    """How much more the record before counts if it is a question: the answer to a question that
    matches is what was sought, though it repeats none of its words. LoCoMo, most of all where the
    fact was told by the other person."""
    meaning_fades: float = 15.0
    """Content words above which neighbours lend less: a long message has a meaning of its own."""

    words: float = 0.10
    """BM25 of the content words of one record. All sets a little; names of things, numbers."""
    words_k1: float = 0.9
    words_b: float = 0.4

    passage: float = 0.20
    """BM25 of the passage: consecutive records of a session. All sets; LoCoMo and REALTALK 0.028.
    Bounded in words, not in records: a session of an assistant is far too long to be one."""
    passage_words: int = 150
    passage_k1: float = 0.9
    passage_b: float = 0.6

    phrase: float = 0.20
    """BM25 of pairs of adjoining words, stop words included. BEAM."""
    phrase_k1: float = 0.9
    phrase_b: float = 0.4

    coverage: float = 0.10
    """Share of the question's rare words found in the record or two records around. LoCoMo and
    REALTALK 0.010: it asks for all of the question, where BM25 is content with a part."""
    coverage_fades: float = 40.0
    """Content words above which what stands around a record counts less."""

    speaker: float = 0.25
    """Said by the one person asked about, by name or as "I". All sets, 0.04 to 0.06. More would
    hide what the other person told about them (LoCoMo's adversarial questions)."""

    day: float = 0.60
    """Said on, or soon after, a date that the question names. LoCoMo and REALTALK."""
    mentioned_day: float = 0.30
    """Speaks of a date that the question names: "yesterday" is resolved when it is recorded.
    LoCoMo."""

    answer: float = 0.10
    """Has what the question wants: a time, a place, a person, a number. LoCoMo and REALTALK."""
    preference: float = 0.20
    """States a preference or a standing instruction, and the question asks for advice. BEAM 0.02:
    such a question shares no words with what should shape its answer."""

    spread: float = 0.20
    """Is the best of its session, where the question is how something went over many of them;
    the next ones have less, down to nothing after `spread_steps`. BEAM 0.014."""
    spread_steps: int = 5

    length: float = 0.20
    """Says something at all: full from `length_full` content words on. REALTALK."""
    length_full: float = 10.0
    statement: float = 0.10
    """Is not merely a short question back. LoCoMo and REALTALK."""
    short_question: int = 15
    """Content words up to which a question is short."""


RECIPE = Weights()

SOON_AFTER = ((1, 1.0), (7, 0.7), (20, 0.3))
"""What is told on a day or within so many days after it counts so much: people tell late."""
MONTH_AFTER = (10, 0.4)
"""The same for a month or a week: all of it counts in full, and so many days after it a little."""
WHOLE_YEAR = 0.3
"""A year is hardly a date: whatever was told within it counts this much."""

NEAR_DAYS, NEAR = 3, 0.4
"""A day mentioned is nearly the day asked for if it is so few days away."""
VAGUE_DAYS, VAGUE = 10, 0.5
"""Mentions spread over more days than these fit one day only so much."""
LONGEST_MONTH = 31
YEAR_MENTIONED = 0.5
"""Mentions of any day of a year asked for."""
