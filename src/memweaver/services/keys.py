"""Keys: renew them while everybody goes on, and destroy one so that nothing opens any more."""

from asyncio import to_thread
from collections.abc import AsyncIterator
from dataclasses import dataclass

from memweaver.domain.scope import HOUSE
from memweaver.errors import NotFound
from memweaver.ports.index import Index
from memweaver.ports.keys import KeyCapability, MasterKeys, Rotation, Vault
from memweaver.services.working import Working


@dataclass(frozen=True, slots=True)
class Keys:
    master: MasterKeys
    vault: Vault
    index: Index
    working: Working

    async def rotate_master(self) -> AsyncIterator[Rotation]:
        """Wrap every user key under a new master key, then destroy the older versions.

        Where master keys are given from outside, the new one must be there already and the old
        ones are the operator's to remove. Called again after being cut off, it finishes the work.
        """
        ours = KeyCapability.ROTATE in self.master.capabilities
        added = await to_thread(self.master.add) if ours else None
        async for rotation in self.vault.rewrap():
            yield rotation
        if added is not None:
            # Not below the current one: somebody may have made that meanwhile, to rewrap next.
            await to_thread(self.master.retire, added.version)

    async def rotate_user(self, user: str) -> AsyncIterator[Rotation]:
        """Seal everything of `user` under a new key. Raises `NotFound`."""
        async for rotation in self.vault.reseal(user):
            yield rotation

    async def rotate_house(self) -> AsyncIterator[Rotation]:
        """The same for what is nobody's in particular: accounts, and what the house signs with."""
        try:
            async for rotation in self.vault.reseal(HOUSE):
                yield rotation
        except NotFound:
            yield Rotation(0, 0)

    async def users(self) -> list[str]:
        return await self.vault.users()

    async def destroy(self, user: str) -> None:
        """Make everything of `user` unreadable, here and in copies taken before.

        A copy holds the user's key wrapped by the master key of its day; so that one goes too.
        """
        await self.working.forget(user)  # while the names of its windows can still be told
        await self.vault.destroy(user)
        await self.index.erased(user)
        if KeyCapability.ROTATE in self.master.capabilities:
            async for _ in self.rotate_master():
                pass
