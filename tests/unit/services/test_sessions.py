"""Sessions: named, renamed, read and forgotten with all that was said in them."""

from dataclasses import replace
from unittest.mock import AsyncMock

import pytest
from tests.unit.services.house import ANN, BOB, a_house, heard

from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput, NotFound
from memweaver.ports.webhooks import WebhookStore
from memweaver.services.forget import SOME


async def test_a_session_is_made_renamed_and_listed() -> None:
    async with a_house() as house:
        sessions = house.services.sessions
        first = await sessions.create(ANN, "Holidays")
        second = await sessions.create(Scope("ann", "helper"), "Work")
        assert await sessions.session(ANN, first.id) == first
        assert (await sessions.all(ANN)).items == [second, first]
        assert (await sessions.rename(ANN, first.id, "Lisbon")).name == "Lisbon"
        assert (await sessions.all(BOB)).items == []


async def test_what_cannot_be_is_refused() -> None:
    async with a_house() as house:
        sessions = house.services.sessions
        made = await sessions.create(ANN, "Holidays")
        with pytest.raises(InvalidInput, match="`name`"):
            await sessions.create(ANN, " ")
        with pytest.raises(InvalidInput, match="`name`"):
            await sessions.rename(ANN, made.id, "")
        with pytest.raises(InvalidInput, match="`limit`"):
            await sessions.all(ANN, limit=0)
        with pytest.raises(InvalidInput, match="`limit`"):
            await sessions.history(ANN, made.id, limit=0)


async def test_the_history_of_a_session_is_what_was_said_in_it() -> None:
    async with a_house() as house:
        services = house.services
        made = await services.sessions.create(ANN, "Holidays")
        for text in ("one", "two"):
            await services.record(ANN, heard(text, made.id))
        await services.record(ANN, heard("elsewhere"))
        await services.record(BOB, heard("his", made.id))
        page = await services.sessions.history(ANN, made.id)
        assert [turn.messages[0].text for turn in page.items] == ["two", "one"]
        with pytest.raises(NotFound):
            await services.sessions.history(BOB, made.id)


async def test_a_forgotten_session_takes_all_its_turns_with_it() -> None:
    async with a_house() as house:
        services = house.services
        made = await services.sessions.create(ANN, "Holidays")
        for number in range(SOME + 1):
            await services.record(ANN, heard(f"tea {number}", made.id))
        kept = await services.record(ANN, heard("tea elsewhere"))
        his = await services.record(BOB, heard("tea of his", made.id))
        with pytest.raises(NotFound):
            await services.forget.session(BOB, made.id)
        await services.forget.session(ANN, made.id)
        assert (await services.curate.turns(ANN)).items == [kept]
        assert (await services.curate.turns(BOB)).items == [his]
        assert [hit.text for hit in (await services.recall(ANN, "tea")).hits] == ["tea elsewhere"]
        assert (await services.working(ANN, made.id)).turns == ()
        assert [job.id for job in (await services.jobs.jobs(user="ann")).items] == [kept.id]
        with pytest.raises(NotFound):
            await services.forget.session(ANN, made.id)


async def test_forgetting_that_was_cut_off_goes_on_when_asked_again() -> None:
    async with a_house() as house:
        services = house.services
        made = await services.sessions.create(ANN, "Holidays")
        for number in range(3):
            await services.record(ANN, heard(f"tea {number}", made.id))
        await house.backend.store.erase_some(ANN, session=made.id, limit=2, at=house.clock.now())
        await services.forget.session(ANN, made.id)
        assert (await services.curate.turns(ANN)).items == []
        assert (await services.sessions.all(ANN)).items == []


async def test_a_forgotten_ai_takes_everything_of_its_own_with_it() -> None:
    async with a_house() as house:
        services = house.services
        ai = await services.ais.create("ann", "Cook")
        other = await services.ais.create("ann", "Tutor")
        for scope in (Scope("ann", ai.id), Scope("ann", other.id), ANN):
            await services.record(scope, heard("tea"))
            await services.curate.add(scope, Draft("Ann likes tea"))
            await services.sessions.create(scope, "Tea")
        await services.forget.ai("ann", ai.id)
        assert await services.ais.all("ann") == [other]
        scopes = {Scope("ann", other.id), ANN}
        assert {one.scope for one in (await services.curate.turns(ANN)).items} == scopes
        assert {one.scope for one in (await services.curate.memories(ANN)).items} == scopes
        assert {one.scope for one in (await services.sessions.all(ANN)).items} == scopes
        with pytest.raises(NotFound):
            await services.forget.ai("ann", ai.id)


async def test_a_forgotten_ai_takes_the_keys_that_are_for_it_with_it() -> None:
    async with a_house() as house:
        services = house.services
        for user in ("ann", "bob"):
            await services.ais.register(user, "cook", "Cook")
            for ai in ("cook", "tutor", None):
                await services.access.create(user, f"{user}, {ai}", ai=ai)
        await services.forget.ai("ann", "cook")
        ended = [key.label for key in await services.access.keys() if key.revoked_at]
        assert ended == ["ann, cook"]


async def test_the_keys_that_end_with_an_ai_are_in_the_audit_once() -> None:
    async with a_house() as house:
        services = house.services
        await services.ais.register("ann", "cook", "Cook")
        before, now = [await services.access.create("ann", "x", ai="cook") for _ in range(2)]
        await services.access.create("ann", "another")
        await services.access.revoke(before.key.id)
        await services.forget.ai("ann", "cook")
        [deed] = await services.audit.latest()
        assert (deed.actor, deed.action, deed.subject) == ("ann", "key revoked", now.key.id)


async def test_a_forgotten_ai_takes_its_webhooks_with_it() -> None:
    async with a_house() as house:
        services = house.services
        for user in ("ann", "bob"):
            await services.ais.register(user, "cook", "Cook")
            for ai in ("cook", "tutor", None):
                await services.webhooks.add(Scope(user, ai), "https://example.com/told")
        await services.forget.ai("ann", "cook")
        assert [one.scope.ai for one in await services.webhooks.all(ANN)] == ["tutor", None]
        assert len(await services.webhooks.all(BOB)) == 3


async def test_a_webhook_that_is_removed_meanwhile_stops_no_forgetting() -> None:
    async with a_house() as house:
        services = house.services
        await services.ais.register("ann", "cook", "Cook")
        made = await services.webhooks.add(Scope("ann", "cook"), "https://example.com/told")
        gone = AsyncMock(spec=WebhookStore)
        gone.webhooks.return_value = [made]
        gone.remove.side_effect = NotFound("it is gone")
        await replace(services.forget, webhooks=gone).ai("ann", "cook")
        assert await services.ais.all("ann") == []


@pytest.mark.requirement("C21")
async def test_forgetting_everything_leaves_nothing_of_one_and_all_of_others() -> None:
    async with a_house() as house:
        services = house.services
        for scope in (ANN, BOB):
            await services.record(scope, heard("tea"))
            await services.curate.add(scope, Draft("likes tea"))
            await services.sessions.create(scope, "Tea")
        await services.forget.everything("ann")
        assert await services.keys.users() == ["bob"]
        assert (await services.sessions.all(ANN)).items == []
        assert len((await services.curate.memories(BOB)).items) == 1
