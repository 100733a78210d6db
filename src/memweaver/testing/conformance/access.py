"""The contract of the `AccessStore` port, as tests."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memweaver.domain.principal import Permission
from memweaver.errors import Conflict, NotFound
from memweaver.ports.access import ApiKey
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import NOON, BackendSuite, later


def a_key(name: str = "k1", *, user: str = "ann", after: int = 0) -> ApiKey:
    return ApiKey(name, user, name.encode() * 16, "laptop", later(after))


class AccessStoreSuite(BackendSuite):
    async def test_a_key_is_found_by_its_digest(self, backend: Backend) -> None:
        await backend.access.add_key(a_key())
        assert await backend.access.key_by_digest(a_key().digest) == a_key()
        for digest in (b"", b"\0" * 32, a_key().digest[:-1], b"\xff\xfe"):
            assert await backend.access.key_by_digest(digest) is None

    async def test_keys_are_listed_oldest_first_for_one_or_all(self, backend: Backend) -> None:
        keys = [a_key("k2"), a_key("k3", user="bob", after=1), a_key("k1", after=2)]
        for key in reversed(keys):
            await backend.access.add_key(key)
        assert await backend.access.keys() == keys
        assert await backend.access.keys("ann") == [keys[0], keys[2]]
        assert await backend.access.keys("nobody") == []

    async def test_an_id_and_a_digest_are_taken_once(self, backend: Backend) -> None:
        await backend.access.add_key(a_key())
        for other in (replace(a_key("k2"), id="k1"), replace(a_key(), id="k2", user="bob")):
            with pytest.raises(Conflict):
                await backend.access.add_key(other)
        assert await backend.access.keys() == [a_key()]

    async def test_a_revoked_key_is_still_found_and_says_since_when(self, backend: Backend) -> None:
        await backend.access.add_key(a_key())
        await backend.access.add_key(a_key("k2"))
        assert await backend.access.revoke_key("k1", NOON) is True
        assert await backend.access.revoke_key("k1", NOON + timedelta(days=1)) is False
        revoked = replace(a_key(), revoked_at=NOON)
        assert await backend.access.key_by_digest(a_key().digest) == revoked
        assert await backend.access.keys() == [revoked, a_key("k2")]

    @pytest.mark.parametrize("name", ["k2", "", "\0", "\ud800"])
    async def test_an_unknown_key_cannot_be_revoked(self, backend: Backend, name: str) -> None:
        await backend.access.add_key(a_key())
        with pytest.raises(NotFound):
            await backend.access.revoke_key(name, NOON)

    async def test_keys_outlive_the_data_of_their_user(self, backend: Backend) -> None:
        await backend.access.add_key(a_key())
        await backend.vault.destroy("ann")
        assert await backend.access.keys("ann") == [a_key()]

    async def test_a_revoked_token_is_known_until_it_expires(self, backend: Backend) -> None:
        assert not await backend.access.token_revoked("t1")
        await backend.access.revoke_token("t1", later(10))
        await backend.access.revoke_token("t1", later(10))
        await backend.access.revoke_token("t2", later(20))
        assert await backend.access.token_revoked("t1")
        assert not await backend.access.token_revoked("t3")
        assert await backend.access.sweep_tokens(before=later(9)) == 0
        assert await backend.access.sweep_tokens(before=later(10)) == 1
        assert not await backend.access.token_revoked("t1")
        assert await backend.access.token_revoked("t2")

    async def test_a_limited_key_is_kept_as_it_is(self, backend: Backend) -> None:
        key = replace(
            a_key(),
            permissions=frozenset({Permission.READ, Permission.ACT}),
            ai="work",
            realm="webui",
            expires_at=later(9),
        )
        await backend.access.add_key(key)
        assert await backend.access.key_by_digest(key.digest) == key
