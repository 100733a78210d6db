"""AIs: each user has their own."""

import asyncio

import pytest
from tests.unit.services.house import NEW_YEAR, a_house, heard

from memweaver.adapters.memory.registry import InMemoryRegistry
from memweaver.adapters.memory.state import State
from memweaver.domain.memory import Correction, Draft, Tier
from memweaver.domain.permissions import EVERYBODY, AiPermissions, InternetAccess
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput, NotFound
from memweaver.ports.registry import Ai
from memweaver.services.ais import Ais
from memweaver.testing.doubles import StoppedClock


class Unhurried(InMemoryRegistry):
    """Lets others go on before it answers, as a database does."""

    async def ai(self, user: str, ai_id: str) -> Ai:
        found = await super().ai(user, ai_id)
        await asyncio.sleep(0)
        return found


async def test_an_ai_is_known_to_its_user_alone() -> None:
    async with a_house() as house:
        ais = house.services.ais
        tutor = await ais.register("ann", "1234", "Tutor")
        assert await ais.register("ann", "1234", "Another name") == tutor
        assert await ais.ai("ann", "1234") == tutor
        assert await ais.all("ann") == [tutor]
        assert await ais.all("bob") == []
        with pytest.raises(NotFound):
            await ais.ai("bob", "1234")
        with pytest.raises(InvalidInput, match="`name`"):
            await ais.register("ann", "5678", "")


async def test_an_ai_is_updated_in_what_is_given() -> None:
    async with a_house() as house:
        ais = house.services.ais
        cook = await ais.create("ann", "Cook", AiPermissions(tools=("oven",)))
        renamed = await ais.update("ann", cook.id, name="Chef")
        assert (renamed.name, renamed.permissions) == ("Chef", cook.permissions)
        sharing = {"shares": EVERYBODY}
        assert (await ais.update("ann", cook.id, permissions=sharing)).name == "Chef"
        kept = (await ais.ai("ann", cook.id)).permissions
        assert kept == AiPermissions(tools=("oven",), shares=EVERYBODY)
        with pytest.raises(InvalidInput, match="at least one field"):
            await ais.update("ann", cook.id, permissions={})
        with pytest.raises(NotFound):
            await ais.update("bob", cook.id, name="Mine")
        with pytest.raises(InvalidInput, match="`name`"):
            await ais.update("ann", cook.id, name=" ")


async def test_an_ai_begins_to_share_with_those_that_are_known_only() -> None:
    async with a_house() as house:
        ais = house.services.ais
        cook, tutor = await ais.create("ann", "Cook"), await ais.create("ann", "Tutor")
        strange = await ais.create("bob", "His")
        await ais.update("ann", cook.id, permissions={"shares": [tutor.id]})
        for name in (strange.id, "a"):
            with pytest.raises(InvalidInput, match=f"`shares`.*{name}"):
                await ais.create("ann", "Nurse", AiPermissions(shares=(name,)))
            with pytest.raises(InvalidInput, match=f"`shares`.*{name}"):
                await ais.update("ann", cook.id, permissions={"shares": [tutor.id, name]})
        await house.services.forget.ai("ann", tutor.id)
        noted = await ais.update("ann", cook.id, permissions={"shares": [tutor.id], "notes": "x"})
        assert noted.permissions == AiPermissions(notes="x", shares=(tutor.id,))


async def test_permissions_changed_at_once_do_not_undo_each_other() -> None:
    ais = Ais(Unhurried(State()), StoppedClock(NEW_YEAR))
    cook = await ais.create("ann", "Cook")
    await asyncio.gather(
        ais.update("ann", cook.id, permissions={"internet_access": "none"}),
        ais.update("ann", cook.id, permissions={"tools": ["oven"]}),
    )
    kept = (await ais.ai("ann", cook.id)).permissions
    assert kept == AiPermissions(InternetAccess.NONE, tools=("oven",))


async def test_a_new_name_does_not_bring_back_a_sharing_that_is_withdrawn_meanwhile() -> None:
    ais = Ais(Unhurried(State()), StoppedClock(NEW_YEAR))
    cook = await ais.create("ann", "Cook", AiPermissions(shares=EVERYBODY))
    await asyncio.gather(
        ais.update("ann", cook.id, permissions={"shares": []}),
        ais.update("ann", cook.id, name="Chef"),
    )
    kept = await ais.ai("ann", cook.id)
    assert (kept.name, kept.permissions) == ("Chef", AiPermissions())


@pytest.mark.requirement("B18")
async def test_an_ai_reads_what_others_share_with_it_and_changes_none_of_it() -> None:
    async with a_house() as house:
        services = house.services
        cook = await services.ais.create("ann", "Cook")
        tutor = await services.ais.create("ann", "Tutor")
        hers, its = Scope("ann", cook.id), Scope("ann", tutor.id)
        kept = await services.curate.add(hers, Draft("Ann is allergic to nuts"))
        await services.record(hers, heard("I am allergic to nuts"))
        assert (await services.recall(its, "nuts")).hits == []
        assert (await services.curate.memories(its)).items == []

        await services.ais.update("ann", cook.id, permissions={"shares": [tutor.id]})
        assert [hit.ref.id for hit in (await services.recall(its, "nuts")).hits] == [kept.id]
        assert (await services.curate.memories(its)).items == [kept]
        assert await services.curate.memory(its, kept.id) == kept
        for change in (
            services.curate.correct(its, kept.id, Correction(text="Ann is not")),
            services.curate.move(its, kept.id, Tier.ARCHIVE),
            services.curate.confirm(its, kept.id),
            services.curate.erase(its, kept.id),
        ):
            with pytest.raises(NotFound):
                await change

        await services.ais.register("bob", tutor.id, "His")
        assert (await services.recall(Scope("bob", tutor.id), "nuts")).hits == []


async def test_what_is_bound_to_an_ai_needs_one_that_is_known() -> None:
    async with a_house() as house:
        ais = house.services.ais
        await ais.register("ann", "cook", "Cook")
        await ais.must_know("ann", "cook")
        for user, ai in (("ann", "tutor"), ("bob", "cook")):
            with pytest.raises(InvalidInput, match="`ai`"):
                await ais.must_know(user, ai)
