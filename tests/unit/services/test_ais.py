"""AIs: each user has their own."""

import pytest
from tests.unit.services.house import a_house

from memweaver.errors import InvalidInput, NotFound


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
