"""Working memory: the recent turns of a session within a budget, the rest in short."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import pytest
from tests.unit.services.house import ANN, BOB, a_house, heard

from memweaver.app.found import Around
from memweaver.app.sections import WorkingSettings
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Turn
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.errors import BackendUnavailable, InvalidInput, ModelUnavailable
from memweaver.ports.windows import Windows
from memweaver.testing.doubles import Tally
from memweaver.testing.minds import LastWords

SMALL = Settings(working=WorkingSettings(budget=40, summary=20))


class DeadWindows(Windows):
    async def window(self, scope: Scope, session: str) -> Window | None:
        raise BackendUnavailable("away")

    async def keep(self, scope: Scope, session: str, window: Window) -> None:
        raise BackendUnavailable("away")

    async def forget(self, user: str) -> None:
        raise BackendUnavailable("away")


class Speechless(LastWords):
    async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
        raise ModelUnavailable("away")


class Erasing(LastWords):
    """While it sums up for the first time, somebody erases something."""

    erasing: Callable[[], Awaitable[None]] | None = None

    async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
        if self.erasing is not None:
            erasing, self.erasing = self.erasing, None
            await erasing()
        return await super().summary(before, turns, tokens)


def said_in(window: Window) -> list[str]:
    return [message.text for turn in window.turns for message in turn.messages]


async def test_what_was_said_last_is_at_hand_at_once() -> None:
    async with a_house() as house:
        assert await house.services.working(ANN, "default") == Window()
        await house.services.record(ANN, heard("one"))
        await house.services.record(ANN, heard("two"))
        await house.services.record(ANN, heard("elsewhere", "other"))
        await house.services.record(BOB, heard("bob's"))
        assert said_in(await house.services.working(ANN, "default")) == ["one", "two"]
        again = await house.services.working(ANN, "default")
        assert said_in(again) == ["one", "two"]
        await house.services.record(ANN, heard("three"))
        assert said_in(await house.services.working(ANN, "default")) == ["one", "two", "three"]


async def test_a_session_needs_a_name() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`session`"):
            await house.services.working(ANN, " ")


async def test_only_what_fits_is_there_but_always_the_latest() -> None:
    async with a_house(settings=SMALL) as house:
        for n in range(6):
            await house.services.record(ANN, heard(f"{n} " + "word " * 10))
        assert [text[0] for text in said_in(await house.services.working(ANN, "default"))] == [
            "4",
            "5",
        ]
        await house.services.record(ANN, heard("long " * 200))
        assert len(said_in(await house.services.working(ANN, "default"))) == 1


async def test_the_rest_is_summed_up_when_it_is_reflected_upon() -> None:
    async with a_house(settings=SMALL) as house:
        turns: list[Turn] = [
            await house.services.record(ANN, heard(f"{n} " + "word " * 10)) for n in range(6)
        ]
        await house.services.shift()
        window = await house.services.working(ANN, "default")
        assert window.summary
        assert window.upto == turns[4].id
        assert [turn.id for turn in window.turns] == [turns[5].id]
        await house.services.working.fold(ANN, ["default"])
        assert (await house.services.working(ANN, "default")).upto == window.upto


async def test_a_single_turn_over_the_budget_stays_as_it_is() -> None:
    async with a_house(settings=SMALL) as house:
        await house.services.record(ANN, heard("word " * 100))
        await house.services.working.fold(ANN, {"default"})
        window = await house.services.working(ANN, "default")
        assert (window.summary, said_in(window)) == ("", ["word " * 100])


async def test_a_summary_that_fails_waits_for_the_next_turn() -> None:
    async with a_house(settings=SMALL, summariser=Speechless()) as house:
        for n in range(6):
            await house.services.record(ANN, heard(f"{n} " + "word " * 10))
        await house.services.shift()
        window = await house.services.working(ANN, "default")
        assert (window.summary, window.upto) == ("", None)


async def test_without_its_cache_it_is_read_from_the_store() -> None:
    async with a_house(around=Around(windows=DeadWindows(), figures=Tally())) as house:
        turn = await house.services.record(ANN, heard("one"))
        assert said_in(await house.services.working(ANN, "default")) == ["one"]
        await house.services.curate.erase_turn(ANN, turn.id)
        assert said_in(await house.services.working(ANN, "default")) == []


async def test_what_is_erased_is_in_no_summary() -> None:
    async with a_house(settings=SMALL) as house:
        secret = await house.services.record(ANN, heard("secret " + "word " * 10))
        for n in range(6):
            await house.services.record(ANN, heard(f"{n} " + "word " * 10))
        await house.services.shift()
        await house.services.curate.erase_turn(ANN, secret.id)
        window = await house.services.working(ANN, "default")
        assert "secret" not in window.summary
        assert all("secret" not in text for text in said_in(window))


async def test_what_is_erased_while_it_is_summed_up_is_in_no_summary() -> None:
    async with a_house(settings=SMALL, summariser=(slow := Erasing())) as house:
        turns = [await house.services.record(ANN, heard(f"{n} " + "word " * 10)) for n in range(6)]
        slow.erasing = partial(house.services.curate.erase_turn, ANN, turns[0].id)
        await house.services.shift()
        assert (await house.services.working(ANN, "default")).summary == ""
        await house.services.working.fold(ANN, ["default"])
        assert (await house.services.working(ANN, "default")).summary


async def test_a_long_session_is_summed_up_from_its_beginning() -> None:
    async with a_house(settings=SMALL) as house:
        turns = await house.services.record.many(ANN, [heard(f"{n} word") for n in range(230)])
        await house.services.working.fold(ANN, ["default"])
        window = await house.services.working(ANN, "default")
        place = [turn.id for turn in turns].index(str(window.upto))
        assert place > 200
        assert [turn.id for turn in window.turns] == [turn.id for turn in turns[place + 1 :]]
        more = await house.services.record.many(ANN, [heard(f"{n} word") for n in range(40)])
        await house.services.working.fold(ANN, ["default"])
        assert (await house.services.working(ANN, "default")).upto in {turn.id for turn in more}
