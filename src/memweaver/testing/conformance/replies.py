"""The contract of the `Replies` port, as tests."""

import asyncio

import pytest

from memweaver.errors import Conflict, Unfinished
from memweaver.ports.backend import Backend
from memweaver.ports.replies import Reply
from memweaver.testing.conformance.backend import NOON, BackendSuite, ended, later

DONE = Reply(201, b'{"id":"\xff"}', {"location": "/v1/things/1"})


async def begin(
    backend: Backend, request: bytes = b"one", *, user: str = "ann", key: str = "k", after: int = 0
) -> Reply | None:
    stale = later(after - 2)
    return await backend.replies.begin(user, key, request, now=later(after), stale=stale)


class RepliesSuite(BackendSuite):
    async def test_what_was_answered_is_answered_again(self, backend: Backend) -> None:
        assert await begin(backend) is None
        await backend.replies.keep("ann", "k", DONE, begun=NOON)
        assert await begin(backend) == DONE
        assert await begin(backend, after=9) == DONE

    async def test_a_secret_that_was_not_kept_is_not_answered(self, backend: Backend) -> None:
        await begin(backend)
        await backend.replies.keep("ann", "k", Reply(201, None), begun=NOON)
        assert await begin(backend) == Reply(201, None)

    async def test_a_key_stands_for_one_request(self, backend: Backend) -> None:
        await begin(backend)
        with pytest.raises(Conflict, match="another"):
            await begin(backend, b"two")
        await backend.replies.keep("ann", "k", DONE, begun=NOON)
        with pytest.raises(Conflict, match="another"):
            await begin(backend, b"two")

    async def test_of_several_at_once_one_is_to_answer(self, backend: Backend) -> None:
        several = [begin(backend) for _ in range(8)]
        told = await asyncio.gather(*several, return_exceptions=True)
        assert told.count(None) == 1
        assert sum(isinstance(one, Unfinished) for one in told) == len(several) - 1

    async def test_what_was_begun_long_ago_and_never_answered_is_begun_anew(
        self, backend: Backend
    ) -> None:
        assert await begin(backend) is None
        with pytest.raises(Unfinished, match="just now"):
            await begin(backend, after=1)
        assert await begin(backend, b"two", after=3) is None
        await backend.replies.keep("ann", "k", DONE, begun=later(3))
        assert await begin(backend, b"two", after=4) == DONE

    async def test_whoever_was_taken_to_be_gone_ends_nothing_that_was_begun_anew(
        self, backend: Backend
    ) -> None:
        await begin(backend)
        await begin(backend, after=3)
        await backend.replies.give_up("ann", "k", begun=NOON)
        await backend.replies.keep("ann", "k", Reply(500, b""), begun=NOON)
        with pytest.raises(Unfinished):
            await begin(backend, after=4)
        await backend.replies.keep("ann", "k", DONE, begun=later(3))
        await backend.replies.give_up("ann", "k", begun=NOON)
        await backend.replies.keep("ann", "k", Reply(500, b""), begun=NOON)
        assert await begin(backend, after=9) == DONE

    async def test_what_came_to_nothing_may_be_asked_for_anew(self, backend: Backend) -> None:
        await begin(backend)
        await backend.replies.give_up("ann", "k", begun=NOON)
        assert await begin(backend, b"two") is None

    async def test_keys_and_users_are_apart(self, backend: Backend) -> None:
        await begin(backend)
        await backend.replies.keep("ann", "k", DONE, begun=NOON)
        assert await begin(backend, user="bob") is None
        assert await begin(backend, key="another") is None

    async def test_the_old_is_swept(self, backend: Backend) -> None:
        await begin(backend)
        await backend.replies.keep("ann", "k", DONE, begun=NOON)
        await begin(backend, key="later", after=1)
        await begin(backend, user="bob")
        assert await backend.replies.sweep(before=later(1)) == 2
        assert await backend.replies.sweep(before=later(1)) == 0
        assert await begin(backend, b"two", after=1) is None
        with pytest.raises(Conflict):
            await begin(backend, key="later", after=1)

    async def test_a_reply_outlives_a_new_key_but_not_its_user(self, backend: Backend) -> None:
        await begin(backend)
        await backend.replies.keep("ann", "k", DONE, begun=NOON)
        await ended(backend.vault.reseal("ann"))
        assert await begin(backend) == DONE
        await backend.vault.destroy("ann")
        await backend.replies.keep("ann", "k", DONE, begun=NOON)
        await backend.replies.give_up("ann", "k", begun=NOON)
        assert await backend.vault.users() == []
        assert await begin(backend) is None

    async def test_a_reply_to_what_was_not_begun_is_not_kept(self, backend: Backend) -> None:
        await begin(backend, key="another")
        await backend.replies.keep("ann", "k", DONE, begun=NOON)
        assert await begin(backend) is None
