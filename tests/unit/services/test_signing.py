"""Signing: what comes back is known to be our own."""

from datetime import timedelta

import pytest
from tests.unit.services.house import a_house

from memweaver.errors import InvalidInput
from memweaver.services.signing import Signing


async def test_what_was_signed_comes_back() -> None:
    async with a_house() as house:
        signing = house.services.signing
        for payload in ("", "page 2", "ü \ud800"):
            assert await signing.opened("cursor", await signing.sign("cursor", payload)) == payload


async def test_what_was_altered_or_meant_for_something_else_is_refused() -> None:
    async with a_house() as house:
        signing = house.services.signing
        text = await signing.sign("cursor", "page 2")
        other = "A" if text[-1] != "A" else "B"
        forged = [
            "",
            ".",
            text[:-1],
            text[:-2] + other + text[-1],
            text + "=",
            text + "\n",
            text.replace("1.", "2."),
            text.replace("1.", "01."),
            text.replace("1.", "\u0661."),
            text.replace("1.", "x."),
            text.replace("1.", "9" * 40 + "."),
            "1." + "é" * 10,
        ]
        for one in forged:
            with pytest.raises(InvalidInput, match="not made here"):
                await signing.opened("cursor", one)
        with pytest.raises(InvalidInput):
            await signing.opened("another", text)


async def test_what_an_older_version_signed_stays_good_until_that_is_retired() -> None:
    async with a_house() as house:
        signing = house.services.signing
        old = await signing.sign("cursor", "page 2")
        await signing.renew("cursor")
        new = await signing.sign("cursor", "page 2")
        assert new != old
        assert await signing.opened("cursor", old) == "page 2"
        await house.backend.secrets.retire("cursor", 2)
        house.clock.advance(timedelta(minutes=2))
        with pytest.raises(InvalidInput):
            await signing.opened("cursor", old)
        assert await signing.opened("cursor", new) == "page 2"


async def test_what_another_process_signed_with_a_newer_version_is_known_at_once() -> None:
    async with a_house() as house:
        ours, theirs = (Signing(house.backend.secrets, house.clock) for _ in range(2))
        await ours.sign("cursor", "page 1")
        await theirs.renew("cursor")
        assert await ours.opened("cursor", await theirs.sign("cursor", "page 2")) == "page 2"
