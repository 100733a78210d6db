"""The contract of the `SecretStore` port, as tests."""

import asyncio

from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import NOON, BackendSuite, later


class SecretStoreSuite(BackendSuite):
    async def test_a_secret_is_made_when_first_needed(self, backend: Backend) -> None:
        assert await backend.secrets.versions("tokens") == []
        [made] = await backend.secrets.first("tokens", NOON)
        assert (made.name, made.version, made.created_at) == ("tokens", 1, NOON)
        assert len(made.value) == 32
        assert await backend.secrets.first("tokens", later(1)) == [made]
        assert await backend.secrets.versions("tokens") == [made]

    async def test_however_many_ask_at_once_it_is_made_once(self, backend: Backend) -> None:
        asked = await asyncio.gather(*(backend.secrets.first("tokens", NOON) for _ in range(8)))
        assert all(answer == asked[0] for answer in asked)

    async def test_a_renewed_secret_is_another_and_older_ones_stay(self, backend: Backend) -> None:
        [first] = await backend.secrets.first("tokens", NOON)
        second = await backend.secrets.renew("tokens", later(1))
        assert second.version > first.version
        assert second.value != first.value
        assert await backend.secrets.versions("tokens") == [second, first]

    async def test_secrets_have_their_own_versions(self, backend: Backend) -> None:
        await backend.secrets.renew("tokens", NOON)
        other = await backend.secrets.renew("cursors", NOON)
        assert other.version == 1
        assert await backend.secrets.versions("cursors") == [other]

    async def test_a_retired_version_is_gone(self, backend: Backend) -> None:
        for minute in range(3):
            await backend.secrets.renew("tokens", later(minute))
        await backend.secrets.retire("tokens", 3)
        assert [one.version for one in await backend.secrets.versions("tokens")] == [3]
        await backend.secrets.retire("unknown", 3)

    async def test_the_secret_is_not_in_what_is_printed(self, backend: Backend) -> None:
        [made] = await backend.secrets.first("tokens", NOON)
        assert repr(made.value) not in repr(made)
