"""The client beside a real server: what the server keeps is what the client was told."""

import pytest
from tests.proxy.house import Guest, House

from memweaver.client import AiPermissions, MemweaverClient, Message, Role, acting_for
from memweaver.client.blocking import connect
from memweaver.domain.account import Role as Standing
from memweaver.domain.job import State
from memweaver.domain.principal import Permission
from memweaver.errors import Conflict, Forbidden, MemweaverError, NotFound, Unauthenticated
from memweaver.testing.speaking import Reply

PASSWORD = "a long sentence nobody guesses"


def test_a_key_made_by_the_client_opens_what_it_is_for_until_it_is_revoked(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        issued = client.keys.create("reader", permissions=["read"])

        with connect(guest.house.url, issued.secret) as reader:
            assert reader.me.read().permissions == {Permission.READ}
            assert list(reader.memories.all()) == []
            with pytest.raises(Forbidden):
                reader.memories.add("Ann drinks tea.")

            client.keys.revoke(issued.key.id)
            with pytest.raises(Unauthenticated):
                reader.me.read()
        assert issued.key.id in [key.id for key in client.keys.all()]


def test_somebody_logs_in_changes_the_password_and_logs_out(proxy: House) -> None:
    email = "ada@example.org"
    proxy.call(proxy.services.accounts.add(email, "Ada", PASSWORD, role=Standing.ADMIN))
    with connect(proxy.url) as client:
        with pytest.raises(Unauthenticated):
            client.log_in(email, "something else entirely")
        assert client.log_in(email, PASSWORD).name == "Ada"
        assert client.me.read().email == email

        ben = client.users.create("ben@example.org", "Ben", PASSWORD)
        assert client.users.disable(ben.user).disabled_at is not None
        assert client.users.enable(ben.user).disabled_at is None
        assert client.users.read(ben.user) in list(client.users.all())
        assert "account made" in [deed.action for deed in client.admin.audit()]
        assert list(client.admin.jobs(states=[State.DEAD])) == []

        client.use(client.me.change_password(PASSWORD, PASSWORD + "!").token)
        client.me.log_out()
        with pytest.raises(Unauthenticated):
            client.me.read()


def test_a_service_speaks_for_its_end_users(proxy: House) -> None:
    issued = proxy.call(proxy.services.access.create("shop", "service", realm="shop"))
    assert issued.signing is not None

    with connect(proxy.url, issued.secret, acting=acting_for("ann", issued.signing)) as ann:
        ann.memories.add("Ann drinks tea.")
        assert ann.me.read().user == "shop:ann"
    with connect(proxy.url, issued.secret, acting=acting_for("ben", issued.signing)) as ben:
        assert list(ben.memories.all()) == []
    with (
        connect(proxy.url, issued.secret, acting=acting_for("ann", "guessed")) as nobody,
        pytest.raises(Unauthenticated),
    ):
        nobody.me.read()


def test_sessions_are_begun_renamed_read_and_erased(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        session = client.sessions.create("Holidays")
        turn = client.turns.record(Message(Role.USER, "We go to Lisbon."), session=session.id)

        assert client.sessions.rename(session.id, "Lisbon").name == "Lisbon"
        assert [said.id for said in client.sessions.turns(session.id)] == [turn.id]
        assert [one.name for one in client.sessions.all()] == ["Lisbon"]

        client.sessions.erase(session.id)
        with pytest.raises(NotFound):
            client.sessions.read(session.id)


def test_relations_are_told_changed_and_erased(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        kept = client.relations.add("Marco", "works_at", "Acme", object_type="company")
        changed = client.relations.change(kept.id, object="Zenith", expected=1)

        assert (changed.object, changed.object_type) == ("Zenith", "company")
        with pytest.raises(Conflict):
            client.relations.change(kept.id, object="Acme", expected=1)
        assert client.relations.read(kept.id) in list(client.relations.all())

        client.relations.erase(kept.id)
        assert list(client.relations.all()) == []


def test_a_memory_that_is_known_already_is_not_fetched_again(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        tea = client.memories.add("Ann drinks tea.")

        assert client.memories.read(tea.id, known=tea) is tea
        coffee = client.memories.correct(tea.id, text="Ann drinks coffee.", expected=tea.revision)
        assert client.memories.read(tea.id, known=tea) == coffee
        with pytest.raises(Conflict):
            client.memories.erase(tea.id, expected=tea.revision)


def test_an_ai_keeps_what_it_may_do(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        permissions = AiPermissions(tools=("calculator",), notes="Kind", shares="all")
        tutor = client.ais.create("Tutor", permissions)

        assert client.ais.read(tutor.id).permissions == permissions
        assert client.ais.update(tutor.id, name="Teacher").permissions == permissions
        assert [ai.name for ai in client.ais.all()] == ["Teacher"]


def test_what_happened_is_told_from_where_one_was(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        client.memories.add("Ann drinks tea.")
        before = client.events.since()
        coffee = client.memories.add("Ben drinks coffee.")

        after = client.events.since(before.cursor)

    assert [(event.kind, event.id) for event in after.items] == [("memory.added", coffee.id)]
    assert not after.missed


def test_a_webhook_is_kept_until_it_is_removed_and_says_why_it_fails(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        made = client.webhooks.add("http://127.0.0.1:1/hook", ["memory.added"])

        assert list(client.webhooks.all()) == [made.webhook]
        assert list(client.webhooks.failures(made.webhook.id)) == []
        with pytest.raises(MemweaverError):
            client.webhooks.test(made.webhook.id)

        client.webhooks.remove(made.webhook.id)
        assert list(client.webhooks.all()) == []


@pytest.mark.requirement("B7")
def test_the_model_answers_whole_or_piece_by_piece_and_is_overheard(guest: Guest) -> None:
    guest.house.script.replies += [Reply("She lives in Lisbon."), Reply("In Porto.")]
    with connect(guest.house.url, guest.secret) as client:
        whole = client.chat("Where does Ada live?", session="s", temperature=0)
        pieces = list(client.stream("And Ben?", session="s", record=False))

        assert "small" in client.models.names()
        assert client.models.read("house/large")["id"] == "house/large"
        assert len(client.models.embed(["one", "two"], model="small")) == 2

    assert whole.text == "She lives in Lisbon."
    assert "".join(pieces) == "In Porto."
    assert len(pieces) > 1
    assert guest.said() == [["Where does Ada live?", "She lives in Lisbon."]]


def test_everything_is_forgotten_but_who_may_come_in(guest: Guest) -> None:
    with connect(guest.house.url, guest.secret) as client:
        client.memories.add("Ann drinks tea.")
        client.forget_everything()

        assert list(client.memories.all()) == []
        assert client.me.read().user == guest.user


@pytest.mark.anyio
async def test_many_requests_share_a_client(guest: Guest) -> None:
    async with MemweaverClient(guest.house.url, guest.secret) as client:
        kept = [await client.memories.add(f"Cup {number}") for number in range(20)]
        found = [memory.id async for memory in client.memories.all(at_once=7)]

    assert found == [memory.id for memory in reversed(kept)]
