"""From a model's answer to candidates: each entry checked by itself, the rest within limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memweaver.adapters.prompted.ladder import Item, items_in
from memweaver.adapters.prompted.making import candidate_of
from memweaver.adapters.prompted.showing import Numbered
from memweaver.adapters.prompted.speakers import Voice, voices_in, where_said
from memweaver.adapters.prompted.statement import MARKS, Statement
from memweaver.domain.candidate import MOST_CANDIDATES, Aspect, Candidate, Scene, Wish
from memweaver.domain.wording import spelled
from memweaver.errors import InvalidInput, ModelOutputInvalid

UNREADABLE = (ValueError, LookupError, InvalidInput)
"""What an entry raises that has the wrong fields, or cites a turn that was not shown."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads answers about the turns of `portion`, under one aspect."""

    scene: Scene
    portion: Numbered
    aspect: Aspect

    def __call__(self, answer: str) -> Sequence[Candidate]:
        """Raises `ModelOutputInvalid`, also if of all entries not one can be read."""
        items, candidates, unreadable = items_in(answer, MARKS), list[Candidate](), 0
        voices = self._voices()
        for item in items:
            try:
                candidates += self._candidate(item, voices)
            except UNREADABLE:
                unreadable += 1
        if items and unreadable == len(items):
            raise ModelOutputInvalid(f"none of {unreadable} entries is as it was asked for")
        return capped(self._unknown(candidates))

    def _voices(self) -> Mapping[int, Sequence[Voice]]:
        """Who is heard in each turn shown; those before have numbers that nobody can cite."""
        earlier = {-number: turn for number, turn in enumerate(self.scene.before)}
        turns = {**earlier, **self.portion}
        return {number: voices_in(turn) for number, turn in turns.items()}

    def _candidate(self, item: Item, voices: Mapping[int, Sequence[Voice]]) -> Sequence[Candidate]:
        statement = Statement.model_validate(item)
        if statement.turn not in self.portion:
            raise LookupError
        number = where_said(statement.text, statement.turn, voices)
        if (turn := self.portion.get(number)) is None:
            return []
        made = candidate_of(statement, turn, voices[number], self.aspect, self.scene.zone)
        return [made] if made else []

    def _unknown(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """Without those that repeat what the model was told is known."""
        shown = (*self.scene.core, *self.scene.episodes, *self.scene.known)
        known = {spelled(memory.text) for memory in shown}
        return [
            one for one in candidates if one.wish is not Wish.KEEP or spelled(one.text) not in known
        ]


def capped(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Each only once, in the order of the answer: of each turn what matters most, every wish."""
    once = {(spelled(one.text), one.tier, one.wish): one for one in reversed(candidates)}
    order = list(reversed(once.values()))
    kept = [one for one in order if one.wish is not Wish.KEEP]
    by_turn: dict[str, list[Candidate]] = {}
    for one in sorted(order, key=lambda one: -one.importance):
        if one.wish is Wish.KEEP:
            by_turn.setdefault(one.source, []).append(one)
    kept += [one for ranked in by_turn.values() for one in ranked[:MOST_CANDIDATES]]
    return [one for one in order if one in kept]
