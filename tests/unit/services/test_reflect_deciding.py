"""Reflecting upon what is known already: revised, closed or left, as was decided."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from unittest.mock import AsyncMock

import pytest
from tests.unit.services.house import ANN, a_house, heard
from tests.unit.services.reflecting import AWAY, NONSENSE, reflected, texts

from memweaver.domain.candidate import Aspect, Candidate, CandidateKind, Scene, Wish
from memweaver.domain.decision import Action, Decision
from memweaver.domain.memory import Tier
from memweaver.errors import StorageFull
from memweaver.services.reflect import Outcome
from memweaver.testing.minds import ScriptedDecider, ScriptedExtractor


@pytest.mark.requirement("C10")
async def test_a_model_decides_where_words_do_not() -> None:
    decider = ScriptedDecider([])
    async with a_house(decider=decider) as house:
        await house.services.record(ANN, heard("FACT: User likes black tea in bed."))
        await reflected(house)
        [known] = (await house.services.curate.memories(ANN)).items
        merged = "User likes black tea with milk in bed."
        decider.decisions.append(Decision(Action.UPDATE, "model", known.id, merged))
        await house.services.record(
            ANN, heard("FACT: User likes black tea with milk in bed today.")
        )
        await reflected(house)
        [memory] = (await house.services.curate.memories(ANN)).items
        assert len(decider.asked) == 1
        assert (memory.id, memory.revision, memory.text) == (known.id, 2, merged)
        assert len(memory.sources) == 2


@pytest.mark.parametrize("action", [Action.UPDATE, Action.NOOP])
async def test_what_a_model_decided_is_not_asked_again(action: Action) -> None:
    decider = ScriptedDecider([])
    async with a_house(decider=decider) as house:
        await house.services.record(ANN, heard("FACT: User likes black tea in bed."))
        await reflected(house)
        [known] = (await house.services.curate.memories(ANN)).items
        merged = "User likes black tea with milk in bed."
        target, text = (known.id, merged) if action is Action.UPDATE else (None, None)
        decider.decisions.append(Decision(action, "model", target, text))
        await house.services.record(ANN, heard("FACT: User likes black tea with milk in bed now."))
        with pytest.MonkeyPatch.context() as patch:
            full = AsyncMock(side_effect=StorageFull("no room"))
            patch.setattr(type(house.backend.queue), "settle", full)
            assert await reflected(house) == [Outcome.RETRIED]
        house.clock.advance(timedelta(hours=1))
        assert await reflected(house) == [Outcome.DONE]
        assert len(decider.asked) == 1
        assert await texts(house) == [merged if action is Action.UPDATE else known.text]


async def test_a_decider_that_fails_costs_no_memory() -> None:
    decider = ScriptedDecider([AWAY])
    async with a_house(decider=decider) as house:
        await house.services.record(ANN, heard("FACT: User likes black tea in bed."))
        await reflected(house)
        await house.services.record(ANN, heard("FACT: User likes black tea with milk in bed now."))
        assert await reflected(house) == [Outcome.DONE]
        assert len(decider.asked) == 1
        assert await texts(house) == ["User likes black tea with milk in bed now."]


@pytest.mark.requirement("X2", "X3")
async def test_a_contradiction_closes_what_it_contradicts() -> None:
    async with a_house() as house:
        await house.services.record(ANN, heard("FACT: User does like strong tea."))
        await reflected(house)
        [old] = (await house.services.curate.memories(ANN)).items
        await house.services.record(ANN, heard("FACT: User does not like strong tea."))
        await reflected(house)
        [new] = (await house.services.curate.memories(ANN)).items
        assert new.supersedes == old.id
        closed = await house.services.curate.memory(ANN, old.id)
        assert closed.validity.known_to is not None
        assert closed.validity.valid_to is not None


async def test_what_is_reflected_upon_late_does_not_undo_what_is_newer() -> None:
    failing = ScriptedExtractor({aspect: [NONSENSE] * 4 for aspect in Aspect})
    async with a_house(extractor=failing) as house:
        old = await house.services.record(ANN, heard("FACT: User does not like strong tea."))
        for _ in range(4):
            await reflected(house)
            house.clock.advance(timedelta(hours=1))
        await house.services.record(ANN, heard("FACT: User does like strong tea."))
        await reflected(house)
        await house.services.jobs.retry("ann", old.id)
        assert await reflected(house) == [Outcome.DONE]
        assert await texts(house) == ["User does like strong tea."]


@pytest.mark.requirement("X4")
async def test_what_is_merged_touches_no_other() -> None:
    async with a_house() as house:
        others = [f"FACT: Number {n}{n} holds." for n in range(4)]
        await house.services.record(ANN, heard("\n".join([*others, "FACT: User likes tea."])))
        await reflected(house)
        before = {one.id: one for one in (await house.services.curate.memories(ANN)).items}
        await house.services.record(ANN, heard("FACT: User likes tea in bed."))
        await reflected(house)
        after = {one.id: one for one in (await house.services.curate.memories(ANN)).items}
        [changed] = [one for one in after.values() if one != before.get(one.id)]
        assert after.keys() == before.keys()
        assert (changed.text, changed.revision) == ("User likes tea in bed.", 2)
        assert before[changed.id].text == "User likes tea."


NUMBERS = [f"Number {n}{n} holds." for n in range(7)]
IN_BED = "Number 66 holds in bed."


class Sweeping(ScriptedExtractor):
    """At the word "sweep" everything is to go; before that every fact is a relation too."""

    def __init__(self, wish: Wish) -> None:
        super().__init__()
        self.wish = wish

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        found = await ScriptedExtractor.extract(self, scene, aspect)
        found = [*found, *(replace(one, tier=Tier.RELATIONAL) for one in found)]
        if aspect is not Aspect.SEMANTIC or "sweep" not in scene.turns[0].messages[0].text:
            return found
        fact = CandidateKind.FACT, Tier.SEMANTIC, scene.turns[0].id
        gone = [Candidate(text, *fact, wish=self.wish) for text in NUMBERS]
        return [*found, *gone]


@pytest.mark.parametrize(
    ("wish", "known", "said", "left"),
    [
        (Wish.NEGATE, NUMBERS, "sweep", NUMBERS),
        (Wish.FORGET, NUMBERS, "sweep", []),
        # what is new in the same turn, or revised, is as if nothing had swept it away
        (Wish.NEGATE, NUMBERS[:6], f"sweep\nFACT: {NUMBERS[6]}", NUMBERS),
        (Wish.NEGATE, NUMBERS, f"sweep\nFACT: {IN_BED}", [*NUMBERS[:6], IN_BED]),
    ],
)
async def test_a_wave_of_deletions_is_spared_unless_asked_for(
    wish: Wish, known: list[str], said: str, left: list[str]
) -> None:
    async with a_house(extractor=Sweeping(wish)) as house:
        for text in known:
            await house.services.record(ANN, heard(f"FACT: {text}"))
            await reflected(house)
        await house.services.record(ANN, heard(said))
        await reflected(house)
        assert await texts(house) == sorted([*left, *left])


class Wishful(ScriptedExtractor):
    """As it is told, but for the lines that begin with `GONE:`, which no longer hold."""

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        found = await ScriptedExtractor.extract(self, scene, aspect)
        text = scene.turns[0].messages[0].text
        if aspect is Aspect.SEMANTIC and "GONE:" in text:
            gone = text.split("GONE: ")[1]
            fact = CandidateKind.FACT, Tier.SEMANTIC, scene.turns[0].id
            return [*found, Candidate(gone, *fact, wish=Wish.NEGATE)]
        return found


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("FACT: User likes tea.\nFACT: user likes TEA", ["User likes tea."]),
        ("FACT: User likes tea.\nFACT: User likes tea in bed.", ["User likes tea in bed."]),
        (
            "FACT: User does like tea a lot.\nFACT: User does not like tea a lot.",
            ["User does not like tea a lot."],
        ),
        ("FACT: User likes tea.\nGONE: User likes tea.", []),
    ],
)
async def test_what_one_turn_says_twice_is_decided_as_if_it_were_two(
    said: str, left: list[str]
) -> None:
    async with a_house(extractor=Wishful()) as house:
        await house.services.record(ANN, heard(said))
        assert await reflected(house) == [Outcome.DONE]
        assert await texts(house) == left


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("FACT: User likes green tea in bed.", ["User likes green tea in bed."]),
        (
            "FACT: User likes green tea.\nFACT: User likes green tea in bed.",
            ["User likes green tea in bed."],
        ),
        ("FACT: User likes green tea.\nGONE: User likes green tea.", []),
        (
            "FACT: User likes green tea.\nFACT: User never likes green tea.",
            ["User never likes green tea."],
        ),
    ],
)
async def test_what_is_known_is_revised_once_however_often_it_is_touched(
    said: str, left: list[str]
) -> None:
    async with a_house(extractor=Wishful()) as house:
        await house.services.record(ANN, heard("FACT: User likes tea."))
        await reflected(house)
        [known] = (await house.services.curate.memories(ANN)).items
        await house.services.record(ANN, heard(said))
        assert await reflected(house) == [Outcome.DONE]
        assert await texts(house) == left
        assert (await house.services.curate.memory(ANN, known.id)).revision <= 2


async def test_everything_that_says_what_is_forgotten_is_closed() -> None:
    class Twofold(Wishful):
        async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
            found = await Wishful.extract(self, scene, aspect)
            kept = [one for one in found if one.wish is Wish.KEEP]
            return [*found, *(replace(one, tier=Tier.RELATIONAL) for one in kept)]

    async with a_house(extractor=Twofold()) as house:
        await house.services.record(ANN, heard("FACT: Giulia is the boss."))
        await reflected(house)
        assert len(await texts(house)) == 2
        await house.services.record(ANN, heard("GONE: Giulia is the boss."))
        await reflected(house)
        assert await texts(house) == []


class Settling(ScriptedExtractor):
    """Takes every fact for where the user lives."""

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        found = await ScriptedExtractor.extract(self, scene, aspect)
        return [replace(one, attribute="home") if "lives" in one.text else one for one in found]


@pytest.mark.requirement("X9")
async def test_a_single_value_is_found_however_many_are_nearer() -> None:
    async with a_house(extractor=Settling()) as house:
        await house.services.record(ANN, heard("FACT: User lives out in Rome."))
        await reflected(house)
        crowd = [heard(f"FACT: Paris {n} {n}{n} is a fine town, Paris.") for n in range(12)]
        for one in crowd:
            await house.services.record(ANN, one)
            await reflected(house)
        await house.services.record(ANN, heard("FACT: User now lives near Paris Paris Paris."))
        await reflected(house)
        homes = [text for text in await texts(house) if "lives" in text]
        assert homes == ["User now lives near Paris Paris Paris."]
