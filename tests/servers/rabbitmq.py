"""A private RabbitMQ server."""

from collections.abc import Generator
from contextlib import contextmanager

from tests.servers.private import Private, private


@contextmanager
def private_rabbitmq() -> Generator[Private]:
    with private("rabbitmq", "rabbitmq-server", "epmd") as server:
        yield server


def rabbitmq_url(server: Private) -> str:
    return f"amqp://guest:guest@127.0.0.1:{server.port}/"
