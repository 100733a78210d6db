"""Who is what to whom, and the core tier, as a person edits them."""

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from tests.unit.services.house import ANN, BOB, a_house

from memweaver.domain.candidate import Relation
from memweaver.domain.limits import Limits
from memweaver.domain.memory import Draft, Memory, Tier
from memweaver.domain.origin import Authority, Origin
from memweaver.domain.relation import relation_of
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, InvalidInput, NotFound, UnknownPredicate
from memweaver.ports.store import Page, Store
from memweaver.services.entries import Entries
from memweaver.services.relate import Relate

MARCO = Relation("Marco", "person", "stakeholder_of", "Project Acme", "project")


async def test_a_relation_is_told_found_and_changed() -> None:
    async with a_house() as house:
        relate = house.services.relate
        kept = await relate.add(ANN, MARCO, confidence=0.9)
        assert (kept.tier, kept.text) == (Tier.RELATIONAL, "Marco stakeholder of Project Acme")
        assert (await relate.all(ANN)).items == [kept]
        surer = await relate.change(ANN, kept.id, {}, confidence=1.0)
        assert (surer.text, surer.confidence, surer.revision) == (kept.text, 1.0, 2)
        moved = await relate.change(ANN, kept.id, {"object": "Zenith"}, expected=2)
        assert relation_of(moved) == replace(MARCO, object="Zenith")
        assert (moved.text, moved.confidence) == ("Marco stakeholder of Zenith", 1.0)
        with pytest.raises(Conflict):
            await relate.change(ANN, kept.id, {"object": "Acme"}, expected=2)
        await relate.erase(ANN, kept.id)
        assert (await relate.all(ANN)).items == []


@pytest.mark.requirement("C15")
async def test_a_relation_told_again_is_confirmed_and_never_less_sure() -> None:
    async with a_house() as house:
        relate = house.services.relate
        first = await relate.add(ANN, MARCO, confidence=0.9)
        house.clock.advance(timedelta(days=1))
        shouted = replace(MARCO, subject="MARCO", object="PROJECT ACME", object_type="topic")
        again = await relate.add(ANN, shouted, confidence=0.4)
        assert (again.id, again.confidence, again.text) == (first.id, 0.9, first.text)
        assert again.validity.known_from - first.validity.known_from >= timedelta(days=1)
        assert (await relate.add(ANN, MARCO, confidence=1.0)).confidence == 1.0
        with pytest.raises(InvalidInput, match="confidence"):
            await relate.add(ANN, MARCO, confidence=2.0)
        assert [one.id for one in (await relate.all(ANN)).items] == [first.id]


@pytest.mark.requirement("C15")
async def test_a_relation_of_another_scope_or_in_quarantine_is_not_the_one_told() -> None:
    async with a_house() as house:
        relate = house.services.relate
        first = await relate.add(ANN, MARCO)
        others = [await relate.add(scope, MARCO) for scope in (BOB, Scope("ann", "helper"))]
        ordering = Draft(
            first.text,
            Tier.RELATIONAL,
            origin=Origin.TOOL,
            authority=Authority.PREFERENCE,
            metadata=first.metadata,
        )
        doubted = await house.services.curate.add(Scope("ann", "other"), ordering)
        assert doubted.quarantined
        own = await relate.add(Scope("ann", "other"), MARCO)
        assert len({first.id, doubted.id, own.id, *(one.id for one in others)}) == 5


@pytest.mark.requirement("C15")
async def test_a_relation_is_known_again_however_many_there_are() -> None:
    async with a_house() as house:
        relate = Relate(replace(house.services.curate, limits=Limits(page=2)))
        first = await relate.add(ANN, MARCO)
        for number in range(4):
            await relate.add(ANN, replace(MARCO, object=f"Project {number}"))
        assert (await relate.add(ANN, MARCO)).id == first.id


@dataclass
class Behind:
    """A store whose lists do not show yet what others write at this moment."""

    inner: Store

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def memories(self, scope: Scope, **_: object) -> Page[Memory]:
        return Page([], None)


@pytest.mark.requirement("C15")
async def test_a_relation_told_twice_at_once_is_kept_once_as_the_surer_says() -> None:
    async with a_house() as house:
        curate, relate = house.services.curate, house.services.relate
        late = Relate(replace(curate, store=Behind(curate.store)))  # type: ignore[arg-type] # all it asks
        first = await relate.add(ANN, MARCO, confidence=0.5)
        assert await late.add(ANN, MARCO, confidence=0.4) == first
        surer = await late.add(ANN, replace(MARCO, subject="MARCO"), confidence=0.9)
        assert (surer.id, surer.text, surer.confidence) == (first.id, first.text, 0.9)
        assert (await relate.all(ANN)).items == [surer]


async def test_what_cannot_be_told_is_refused() -> None:
    async with a_house() as house:
        relate = house.services.relate
        kept = await relate.add(ANN, MARCO)
        with pytest.raises(UnknownPredicate):
            await relate.add(ANN, replace(MARCO, predicate="loves"))
        with pytest.raises(UnknownPredicate):
            await relate.change(ANN, kept.id, {"predicate": "loves"})
        with pytest.raises(InvalidInput, match="confidence"):
            await relate.change(ANN, kept.id, {}, confidence=2.0)
        with pytest.raises(InvalidInput, match="nothing to correct"):
            await relate.change(ANN, kept.id, {})


async def test_only_relations_are_relations_and_only_ones_own() -> None:
    async with a_house() as house:
        relate = house.services.relate
        fact = await house.services.curate.add(ANN, Draft("Ann likes tea"))
        kept = await relate.add(ANN, MARCO)
        for scope, name in ((ANN, fact.id), (ANN, "nothing"), (BOB, kept.id)):
            with pytest.raises(NotFound):
                await relate.relation(scope, name)
            with pytest.raises(NotFound):
                await relate.change(scope, name, {"object": "Zenith"})
            with pytest.raises(NotFound):
                await relate.erase(scope, name)


@pytest.mark.requirement("C20")
async def test_an_entry_is_put_replaced_and_erased() -> None:
    async with a_house() as house:
        entries = house.services.entries
        first = await entries.put(ANN, "home", "Oslo")
        assert (await entries.put(ANN, "home", "Bergen")).id == first.id
        await entries.put(BOB, "home", "Rome")
        assert await entries.all(ANN) == {"home": "Bergen"}
        await entries.erase(ANN, "home")
        assert await entries.all(ANN) == {}
        assert await entries.all(BOB) == {"home": "Rome"}
        with pytest.raises(NotFound):
            await entries.erase(ANN, "home")
        with pytest.raises(InvalidInput, match="`key`"):
            await entries.put(ANN, " ", "x")
        with pytest.raises(Conflict, match="nothing under the key 'home'"):
            await entries.put(ANN, "home", "Oslo", expected=1)


async def test_ones_own_entry_comes_before_that_of_an_ai() -> None:
    async with a_house() as house:
        entries = house.services.entries
        await entries.put(ANN, "home", "Oslo")
        await entries.put(Scope("ann", "helper"), "home", "Bergen")
        await entries.put(Scope("ann", "helper"), "name", "Ann")
        assert await entries.all(ANN) == {"home": "Oslo", "name": "Ann"}
        await entries.erase(ANN, "home")
        assert await entries.all(ANN) == {"name": "Ann"}


async def test_entries_are_read_however_many_there_are() -> None:
    async with a_house() as house:
        curate = replace(house.services.curate, limits=Limits(page=2))
        entries = Entries(curate)
        for number in range(5):
            await entries.put(ANN, f"key {number}", "x")
        assert len(await entries.all(ANN)) == 5
