"""What is at the broker: names, arguments and messages as others expect them, and bad luck."""

import asyncio
import json
import logging
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from itertools import count

import aio_pika
import anyio
import anyio.to_thread
import pytest
from aio_pika.abc import AbstractChannel, AbstractIncomingMessage
from tests.servers.private import Private
from tests.servers.programs import free_port
from tests.servers.rabbitmq import rabbitmq_url

from memweaver.adapters.rabbitmq import open_rabbitmq
from memweaver.adapters.rabbitmq.names import routing_key
from memweaver.domain.job import Failure, Priority, State
from memweaver.errors import ConfigurationError
from memweaver.testing.conformance.backend import NOON
from memweaver.testing.conformance.doorbell import LONG, SHORT, STRANGE_USERS, a_job, eventually

pytestmark = pytest.mark.rabbitmq

numbers = count()


@pytest.fixture
def exchange() -> str:
    """The name of an exchange that nobody used yet; `queue_of` it is as new."""
    return f"odd_{next(numbers)}_exchange"


def queue_of(exchange: str) -> str:
    return exchange.replace("_exchange", "_queue")


@pytest.fixture
async def channel(rabbitmq: Private) -> AsyncGenerator[AbstractChannel]:
    """Somebody else at the same broker."""
    async with await aio_pika.connect(rabbitmq_url(rabbitmq)) as connection:
        yield await connection.channel()


async def next_in(channel: AbstractChannel, queue: str) -> AbstractIncomingMessage:
    """The next message that comes to a queue."""
    found = await channel.get_queue(queue, ensure=False)
    with anyio.fail_after(LONG):
        while (message := await found.get(fail=False)) is None:  # noqa: ASYNC110 - the broker does not tell
            await asyncio.sleep(0.01)
    await message.ack()
    return message


async def left_in(channel: AbstractChannel, queue: str) -> int:
    there = await channel.declare_queue(queue, passive=True)
    return there.declaration_result.message_count or 0


@pytest.mark.requirement("D2", "D9")
async def test_everything_has_the_names_that_others_know(
    rabbitmq: Private, channel: AbstractChannel
) -> None:
    async with open_rabbitmq(rabbitmq_url(rabbitmq)) as bell:
        for queue in ("memory_reflection_queue", "memory_reflection_dlq"):
            await (await channel.get_queue(queue)).purge()
        await bell.ring([a_job("waiting")])
        await bell.toll([a_job("dead")])
    await channel.get_exchange("memory_reflection_exchange")
    await channel.get_exchange("memory_reflection_exchange.dlx")
    assert (await next_in(channel, "memory_reflection_queue")).message_id == "waiting"
    assert (await next_in(channel, "memory_reflection_dlq")).message_id == "dead"


@pytest.mark.requirement("D2", "X7")
@pytest.mark.parametrize(
    ("priority", "number"), [(Priority.LOW, 0), (Priority.NORMAL, 4), (Priority.HIGH, 8)]
)
async def test_a_message_says_which_job_whose_and_how_urgent(
    rabbitmq: Private, channel: AbstractChannel, exchange: str, priority: Priority, number: int
) -> None:
    job = a_job("j7", user="ann.b@example.com", priority=priority, failures=2)
    async with open_rabbitmq(rabbitmq_url(rabbitmq), "", exchange, queue_of(exchange)) as bell:
        await bell.ring([job])

    message = await next_in(channel, queue_of(exchange))

    assert message.routing_key == "reflection.ann.b@example.com"
    assert json.loads(message.body) == {
        "job_id": "j7",
        "user_id": "ann.b@example.com",
        "priority": int(priority),
        "timestamp": NOON.isoformat(),
    }
    assert message.headers == {
        "user_id": "ann.b@example.com",
        "retry_count": 2,
        "created_at": NOON.isoformat(),
    }
    assert (message.message_id, message.priority, message.delivery_mode) == ("j7", number, 2)
    assert message.timestamp == NOON.replace(microsecond=0)
    assert message.content_type == "application/json"


@pytest.mark.requirement("D2")
@pytest.mark.parametrize("user", STRANGE_USERS)
def test_no_routing_key_is_longer_than_the_protocol_allows(user: str) -> None:
    assert len(routing_key(user).encode()) <= 255
    assert routing_key(user).startswith("reflection.")


def test_users_who_are_cut_short_do_not_become_the_same() -> None:
    assert routing_key("a" * 255 + "b") != routing_key("a" * 255 + "c")


@pytest.mark.requirement("D7")
async def test_the_most_urgent_is_delivered_first(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    async with open_rabbitmq(rabbitmq_url(rabbitmq), "", exchange, queue_of(exchange)) as bell:
        for priority in Priority:
            await bell.ring([a_job(priority.name, priority=priority)])
    delivered = [(await next_in(channel, queue_of(exchange))).message_id for _ in Priority]
    assert delivered == ["HIGH", "NORMAL", "LOW"]


@pytest.mark.requirement("D8")
async def test_dead_jobs_are_told_of_in_the_dead_letter_queue(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    failure = Failure("model_refused", "the model will not do it")
    job = replace(a_job("j9"), state=State.DEAD, failures=4, failure=failure)
    async with open_rabbitmq(rabbitmq_url(rabbitmq), "", exchange, queue_of(exchange)) as bell:
        await bell.toll([job])
    message = await next_in(channel, exchange.replace("_exchange", "_dlq"))
    assert (message.message_id, message.routing_key) == ("j9", "failed")
    assert message.headers["retry_count"] == 4


@pytest.mark.requirement("D8")
async def test_what_somebody_rejects_becomes_a_dead_letter(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    async with open_rabbitmq(rabbitmq_url(rabbitmq), "", exchange, queue_of(exchange)) as bell:
        await bell.ring([a_job("rejected")])
    queue = await channel.get_queue(queue_of(exchange))
    await (await queue.get()).reject()
    dead = await next_in(channel, exchange.replace("_exchange", "_dlq"))
    assert dead.message_id == "rejected"


@pytest.mark.requirement("D13")
async def test_a_bell_survives_the_broker_and_is_rung_again_when_it_is_back(
    rabbitmq: Private, exchange: str
) -> None:
    url, queue = rabbitmq_url(rabbitmq), queue_of(exchange)
    async with open_rabbitmq(url, "", exchange, queue) as bell:
        await bell.ring([a_job("before")])
    async with open_rabbitmq(url, "", exchange, queue) as server:
        await anyio.to_thread.run_sync(rabbitmq.kill)
        try:
            await eventually(lambda: server.trouble is not None)
            await server.ring([a_job("dropped")])
        finally:
            await anyio.to_thread.run_sync(rabbitmq.start)
        await eventually(lambda: server.trouble is None)
        async with open_rabbitmq(url, "", exchange, queue, prefetch=1) as worker:
            assert await worker.heard(LONG)
            assert not await worker.heard(SHORT)
            await server.ring([a_job("after")])
            assert await worker.heard(LONG)


@pytest.mark.requirement("D13")
async def test_a_bell_is_acknowledged_only_when_its_hearer_asks_for_more(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    url, queue = rabbitmq_url(rabbitmq), queue_of(exchange)
    async with open_rabbitmq(url, "", exchange, queue, prefetch=1) as bell:
        await bell.ring([a_job("j1"), a_job("j2")])
        assert await bell.heard(LONG)
        async with open_rabbitmq(url, "", exchange, queue, prefetch=2) as other:
            assert await other.heard(LONG)
            assert not await other.heard(SHORT)
        assert await left_in(channel, queue) == 0
    async with open_rabbitmq(url, "", exchange, queue) as late:
        assert not await late.heard(SHORT)


@pytest.mark.requirement("D13")
async def test_what_was_delivered_but_not_heard_rings_elsewhere(
    rabbitmq: Private, exchange: str
) -> None:
    url, queue = rabbitmq_url(rabbitmq), queue_of(exchange)
    async with open_rabbitmq(url, "", exchange, queue) as bell:
        assert not await bell.heard(SHORT)
        await bell.ring([a_job()])
    async with open_rabbitmq(url, "", exchange, queue) as other:
        assert await other.heard(LONG)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b'{"job_id": []}', b"x" * 1_000_000])
async def test_whatever_somebody_else_sends_wakes_and_does_nothing_else(
    rabbitmq: Private, channel: AbstractChannel, exchange: str, body: bytes
) -> None:
    url, queue = rabbitmq_url(rabbitmq), queue_of(exchange)
    async with open_rabbitmq(url, "", exchange, queue) as bell:
        door = await channel.get_exchange(exchange)
        forged = aio_pika.Message(body, headers={"user_id": -1, "retry_count": "never"})
        await door.publish(forged, "reflection.")
        assert await bell.heard(LONG)
        assert not await bell.heard(SHORT)
        assert bell.trouble is None
    assert await left_in(channel, queue) == 0


async def test_a_thousand_forged_bells_are_heard_and_gone(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    url, queue = rabbitmq_url(rabbitmq), queue_of(exchange)
    async with open_rabbitmq(url, "", exchange, queue) as bell:
        door = await channel.get_exchange(exchange)
        forged = [aio_pika.Message(b'{"job_id": "%d"}' % number) for number in range(1000)]
        await asyncio.gather(*(door.publish(one, "reflection.ann") for one in forged))
        while await bell.heard(1.0):
            assert bell.trouble is None
    assert await left_in(channel, queue) == 0


async def test_a_queue_that_somebody_deletes_is_made_again(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    url, queue = rabbitmq_url(rabbitmq), queue_of(exchange)
    async with open_rabbitmq(url, "", exchange, queue) as bell:
        assert not await bell.heard(SHORT)
        await channel.queue_delete(queue)
        await eventually(lambda: bell.trouble is not None)
        await eventually(lambda: bell.trouble is None)
        await bell.ring([a_job()])
        assert await bell.heard(LONG)


async def test_a_bell_that_no_queue_takes_is_noticed(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    url, queue = rabbitmq_url(rabbitmq), queue_of(exchange)
    async with open_rabbitmq(url, "", exchange, queue) as bell:
        await channel.queue_delete(queue)
        await bell.ring([a_job("lost")])
        await eventually(lambda: bell.trouble is not None)
        await eventually(lambda: bell.trouble is None)
        await bell.ring([a_job("kept")])
    assert (await next_in(channel, queue)).message_id == "kept"


@pytest.mark.requirement("D9")
async def test_a_queue_of_an_older_installation_is_refused_with_a_remedy(
    rabbitmq: Private, channel: AbstractChannel, exchange: str
) -> None:
    await channel.declare_queue(queue_of(exchange), durable=True)
    with pytest.raises(ConfigurationError, match="delete that one") as caught:
        await opened(rabbitmq_url(rabbitmq), "", exchange, queue_of(exchange))
    assert queue_of(exchange) in str(caught.value)


async def test_a_wrong_password_is_refused_with_a_remedy(rabbitmq: Private, exchange: str) -> None:
    url = rabbitmq_url(rabbitmq).replace("guest:guest", "guest:canary-password")
    with pytest.raises(ConfigurationError, match="RABBITMQ_PASSWORD") as caught:
        await opened(url, "", exchange, queue_of(exchange))
    assert "canary" not in str(caught.value)


@pytest.mark.requirement("D9")
@pytest.mark.parametrize("user", ["", "guest@"])
async def test_the_password_may_come_apart_from_the_url(rabbitmq: Private, user: str) -> None:
    url = f"amqp://{user}127.0.0.1:{rabbitmq.port}/"
    async with open_rabbitmq(url, "guest") as bell:
        assert bell.trouble is None
    with pytest.raises(ConfigurationError, match="refuses this login"):
        await opened(url, "wrong")


async def test_no_log_line_holds_the_password(
    rabbitmq: Private, exchange: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="asyncio")
    url = rabbitmq_url(rabbitmq).replace("guest:guest", "guest:canary-password")
    with pytest.raises(ConfigurationError):
        await opened(url, "", exchange, queue_of(exchange))
    with pytest.raises(ConfigurationError):
        await opened(f"amqp://127.0.0.1:{rabbitmq.port}/", "canary-password")
    async with open_rabbitmq(f"amqp://guest:canary-password@127.0.0.1:{free_port()}/") as bell:
        assert bell.trouble == "backend_unavailable"
    assert "RabbitMQ" in caplog.text
    assert "canary" not in caplog.text


async def test_a_broker_that_is_away_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    async with open_rabbitmq(f"amqp://127.0.0.1:{free_port()}/"):
        await asyncio.sleep(1.0)
    assert [record.name for record in caplog.records] == ["memweaver.adapters.rabbitmq.bell"]


@pytest.mark.parametrize(
    "url", ["", "nonsense", "http://127.0.0.1/", "amqp://", "amqp://host:port/", "amqp:///vhost"]
)
async def test_a_url_that_cannot_be_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="RABBITMQ_URL"):
        await opened(url)


async def test_another_machine_without_a_password_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="without a password"):
        await opened("amqp://rabbitmq.example.com/")


@pytest.mark.parametrize(("exchange", "queue"), [("", "q"), ("e" * 252, "q"), ("e", "amq.q")])
async def test_names_that_cannot_be_are_refused(exchange: str, queue: str) -> None:
    with pytest.raises(ConfigurationError, match="RABBITMQ_EXCHANGE"):
        await opened("amqp://127.0.0.1/", "", exchange, queue)


async def test_without_its_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "memweaver.adapters.rabbitmq.opening", None)
    with pytest.raises(ConfigurationError, match=r"memweaver\[rabbitmq\]"):
        await opened("amqp://127.0.0.1/")


async def opened(url: str, *rest: str) -> None:
    async with open_rabbitmq(url, *rest):
        pass
