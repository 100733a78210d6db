"""The same client for programs that do not await: `with connect(url, api_key) as client`."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from anyio.from_thread import BlockingPortal, start_blocking_portal

from memweaver.client.access import Keys, Myself, Users
from memweaver.client.admin import Administration
from memweaver.client.ais import Ais
from memweaver.client.chat import Models
from memweaver.client.client import URL, MemweaverClient
from memweaver.client.events import Events, Webhooks
from memweaver.client.memories import Memories
from memweaver.client.relations import Relations
from memweaver.client.sessions import Sessions
from memweaver.client.turns import Turns
from memweaver.waiting import waiting, waiting_for_each


class BlockingTurns:
    def __init__(self, portal: BlockingPortal, turns: Turns) -> None:
        self.record = waiting(portal, turns.record)
        self.all = waiting_for_each(portal, turns.all)
        self.read = waiting(portal, turns.read)
        self.erase = waiting(portal, turns.erase)
        self.reflection = waiting(portal, turns.reflection)


class BlockingMemories:
    def __init__(self, portal: BlockingPortal, memories: Memories) -> None:
        self.add = waiting(portal, memories.add)
        self.all = waiting_for_each(portal, memories.all)
        self.read = waiting(portal, memories.read)
        self.correct = waiting(portal, memories.correct)
        self.move = waiting(portal, memories.move)
        self.confirm = waiting(portal, memories.confirm)
        self.erase = waiting(portal, memories.erase)


class BlockingRelations:
    def __init__(self, portal: BlockingPortal, relations: Relations) -> None:
        self.add = waiting(portal, relations.add)
        self.all = waiting_for_each(portal, relations.all)
        self.read = waiting(portal, relations.read)
        self.change = waiting(portal, relations.change)
        self.erase = waiting(portal, relations.erase)


class BlockingAis:
    def __init__(self, portal: BlockingPortal, ais: Ais) -> None:
        self.create = waiting(portal, ais.create)
        self.handshake = waiting(portal, ais.handshake)
        self.all = waiting_for_each(portal, ais.all)
        self.read = waiting(portal, ais.read)
        self.update = waiting(portal, ais.update)
        self.erase = waiting(portal, ais.erase)


class BlockingSessions:
    def __init__(self, portal: BlockingPortal, sessions: Sessions) -> None:
        self.create = waiting(portal, sessions.create)
        self.all = waiting_for_each(portal, sessions.all)
        self.read = waiting(portal, sessions.read)
        self.turns = waiting_for_each(portal, sessions.turns)
        self.rename = waiting(portal, sessions.rename)
        self.erase = waiting(portal, sessions.erase)


class BlockingEvents:
    def __init__(self, portal: BlockingPortal, events: Events) -> None:
        self.since = waiting(portal, events.since)
        self.schema = waiting(portal, events.schema)


class BlockingWebhooks:
    def __init__(self, portal: BlockingPortal, webhooks: Webhooks) -> None:
        self.add = waiting(portal, webhooks.add)
        self.all = waiting_for_each(portal, webhooks.all)
        self.failures = waiting_for_each(portal, webhooks.failures)
        self.test = waiting(portal, webhooks.test)
        self.remove = waiting(portal, webhooks.remove)


class BlockingModels:
    def __init__(self, portal: BlockingPortal, models: Models) -> None:
        self.names = waiting(portal, models.names)
        self.read = waiting(portal, models.read)
        self.embed = waiting(portal, models.embed)


class BlockingMyself:
    def __init__(self, portal: BlockingPortal, me: Myself) -> None:
        self.read = waiting(portal, me.read)
        self.change_password = waiting(portal, me.change_password)
        self.log_out = waiting(portal, me.log_out)


class BlockingKeys:
    def __init__(self, portal: BlockingPortal, keys: Keys) -> None:
        self.create = waiting(portal, keys.create)
        self.all = waiting_for_each(portal, keys.all)
        self.revoke = waiting(portal, keys.revoke)


class BlockingUsers:
    def __init__(self, portal: BlockingPortal, users: Users) -> None:
        self.create = waiting(portal, users.create)
        self.all = waiting_for_each(portal, users.all)
        self.read = waiting(portal, users.read)
        self.disable = waiting(portal, users.disable)
        self.enable = waiting(portal, users.enable)


class BlockingAdministration:
    def __init__(self, portal: BlockingPortal, admin: Administration) -> None:
        self.audit = waiting_for_each(portal, admin.audit)
        self.jobs = waiting_for_each(portal, admin.jobs)
        self.retry_job = waiting(portal, admin.retry_job)
        self.discard_job = waiting(portal, admin.discard_job)


class BlockingClient:
    """Each name does what its namesake does; what is answered one by one is a generator here."""

    def __init__(self, portal: BlockingPortal, client: MemweaverClient) -> None:
        self.turns = BlockingTurns(portal, client.turns)
        self.memories = BlockingMemories(portal, client.memories)
        self.relations = BlockingRelations(portal, client.relations)
        self.ais = BlockingAis(portal, client.ais)
        self.sessions = BlockingSessions(portal, client.sessions)
        self.events = BlockingEvents(portal, client.events)
        self.webhooks = BlockingWebhooks(portal, client.webhooks)
        self.models = BlockingModels(portal, client.models)
        self.me = BlockingMyself(portal, client.me)
        self.keys = BlockingKeys(portal, client.keys)
        self.users = BlockingUsers(portal, client.users)
        self.admin = BlockingAdministration(portal, client.admin)
        self.chat = waiting(portal, client.chat)
        self.stream = waiting_for_each(portal, client.stream)
        self.recall = waiting(portal, client.recall)
        self.forget_everything = waiting(portal, client.forget_everything)
        self.health = waiting(portal, client.health)
        self.log_in = waiting(portal, client.log_in)
        self.use = client.use


@contextmanager
def connect(
    url: str = URL,
    api_key: str = "",
    *,
    timeout: float = 30.0,
    acting: Callable[[], str] | None = None,
) -> Generator[BlockingClient]:
    """A connection to one server with one credential, for the length of the `with` block."""
    with blocking(MemweaverClient(url, api_key, timeout=timeout, acting=acting)) as client:
        yield client


@contextmanager
def blocking(client: MemweaverClient) -> Generator[BlockingClient]:
    """`client` for a program that does not await; it must not be used elsewhere any more."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(client) as opened,
    ):
        yield BlockingClient(portal, opened)
