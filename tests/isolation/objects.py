"""What can be somebody's: how one of each kind is made, read by its owner, and removed."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_hex

from memweaver.domain.candidate import Relation
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Draft, Tier
from memweaver.domain.principal import HOME
from memweaver.domain.scope import Scope
from memweaver.errors import NotFound
from memweaver.services import Services

AI_NAME = "Athena"
PASSWORD = "a password that nobody guesses"

Make = Callable[[str], Awaitable[str]]
Look = Callable[[str, str], Awaitable[object]]


@dataclass(frozen=True)
class Kind:
    """`state` is how the owner sees it; what somebody else did to it would show there.

    What has no way to `remove` it lasts: it can be ended, but is still there.
    """

    make: Make
    state: Look
    remove: Callable[[str, str], Awaitable[None]] | None = None


@dataclass
class World:
    services: Services
    run: str = field(default_factory=lambda: token_hex(4))

    def mark(self, user: str) -> str:
        """What everything of `user` says; it may be shown to them only."""
        return f"canary-{self.run}-{sha256(user.encode()).hexdigest()[:8]}"

    def new_id(self) -> str:
        return self.services.curate.clock.new_id()

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return {
            "memory": Kind(self.memory, self.see_memory, self.drop_memory),
            "relation": Kind(self.relation, self.see_memory, self.drop_memory),
            "entry": Kind(self.entry, self.see_entry, self.drop_entry),
            "turn": Kind(self.turn, self.see_turn, self.drop_turn),
            "session": Kind(self.session, self.see_session, self.drop_session),
            "ai": Kind(self.ai, self.see_ai, self.drop_ai),
            "piece": Kind(self.piece, self.see_piece, self.drop_piece),
            "key": Kind(self.key, self.see_key),
            "webhook": Kind(self.webhook, self.see_webhook, self.drop_webhook),
            "account": Kind(self.account, self.see_account),
            "everything": Kind(self.memory, self.see_everything, self.drop_memory),
        }

    async def memory(self, user: str) -> str:
        return await self._kept(user, Draft(f"memory {self.mark(user)}"))

    async def _kept(self, user: str, draft: Draft, ai: str | None = None) -> str:
        return (await self.services.curate.add(Scope(user, ai), draft)).id

    async def see_memory(self, user: str, name: str) -> object:
        return await self.services.curate.memory(Scope(user), name)

    async def drop_memory(self, user: str, name: str) -> None:
        await self.services.curate.erase(Scope(user), name)

    async def relation(self, user: str) -> str:
        relation = Relation(f"Marco {self.mark(user)}", "person", "works_at", "Acme", "company")
        return (await self.services.relate.add(Scope(user), relation)).id

    async def entry(self, user: str) -> str:
        key = f"key-{token_hex(6)}"
        await self._kept(user, Draft(f"entry {self.mark(user)}", tier=Tier.CORE, key=key))
        return key

    async def see_entry(self, user: str, name: str) -> object:
        return (await self.services.entries.all(Scope(user))).get(name)

    async def drop_entry(self, user: str, name: str) -> None:
        await self.services.entries.erase(Scope(user), name)

    async def turn(self, user: str) -> str:
        said = Said((Message(Role.USER, f"turn {self.mark(user)}"),), f"talk {self.mark(user)}")
        return (await self.services.record(Scope(user), said)).id

    async def see_turn(self, user: str, name: str) -> object:
        return await self.services.curate.turn(Scope(user), name)

    async def drop_turn(self, user: str, name: str) -> None:
        await self.services.curate.erase_turn(Scope(user), name)

    async def session(self, user: str) -> str:
        session = await self.services.sessions.create(Scope(user), f"session {self.mark(user)}")
        said = Said((Message(Role.USER, f"turn {self.mark(user)}"),), session.id)
        await self.services.record(Scope(user), said)
        return session.id

    async def see_session(self, user: str, name: str) -> object:
        session = await self.services.sessions.session(Scope(user), name)
        history = await self.services.sessions.history(Scope(user), name)
        return session, history.items

    async def drop_session(self, user: str, name: str) -> None:
        await self.services.forget.session(Scope(user), name)

    async def ai(self, user: str) -> str:
        """With a memory of its own; its name is known to whoever guesses."""
        ai = await self.services.ais.create(user, AI_NAME)
        await self._kept(user, Draft(f"of the AI {self.mark(user)}"), ai.id)
        return ai.id

    async def see_ai(self, user: str, name: str) -> object:
        ai = await self.services.ais.ai(user, name)
        return ai, (await self.services.curate.memories(Scope(user, name))).items

    async def drop_ai(self, user: str, name: str) -> None:
        await self.services.forget.ai(user, name)

    async def piece(self, user: str) -> str:
        """A memory of an AI, and which."""
        ai = await self.services.ais.create(user, AI_NAME)
        return f"{ai.id}~{await self._kept(user, Draft(f'a piece {self.mark(user)}'), ai.id)}"

    async def see_piece(self, user: str, name: str) -> object:
        ai, _, memory = name.partition("~")
        return await self.services.curate.memory(Scope(user, ai), memory)

    async def drop_piece(self, user: str, name: str) -> None:
        ai, _, memory = name.partition("~")
        await self.services.curate.erase(Scope(user, ai), memory)

    async def key(self, user: str) -> str:
        return (await self.services.access.create(user, f"key {self.mark(user)}")).key.id

    async def see_key(self, user: str, name: str) -> object:
        return [key for key in await self.services.access.keys(user) if key.id == name]

    async def webhook(self, user: str) -> str:
        for former in await self.services.webhooks.all(Scope(user)):  # there may be but some
            await self.drop_webhook(user, former.id)
        url = f"https://hooks.example/{self.mark(user)}"
        return (await self.services.webhooks.add(Scope(user), url)).id

    async def see_webhook(self, user: str, name: str) -> object:
        return [one for one in await self.services.webhooks.all(Scope(user)) if one.id == name]

    async def drop_webhook(self, user: str, name: str) -> None:
        await self.services.webhooks.remove(Scope(user), name)

    async def account(self, user: str) -> str:
        """Somebody new in the organisation of `user`, if they have one."""
        try:
            home = (await self.services.accounts.account(user)).organisation
        except NotFound:
            home = HOME
        email = f"{token_hex(6)}@{self.mark(user)}.example"
        made = await self.services.accounts.add(email, "New", PASSWORD, organisation=home)
        return made.user

    async def see_account(self, _: str, name: str) -> object:
        return await self.services.accounts.account(name)

    async def see_everything(self, user: str, _: str) -> object:
        """How much there is; what one request adds to it is one request's."""
        memories = await self.services.curate.memories(Scope(user), limit=100)
        turns = await self.services.curate.turns(Scope(user), limit=100)
        return memories.items, turns.items
