"""Opens the doorbell: the address checked, the connection kept by a task that ends with it."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from ipaddress import ip_address

from yarl import URL

from memweaver.adapters.rabbitmq.bell import RabbitDoorbell
from memweaver.adapters.rabbitmq.names import Names
from memweaver.background import beside
from memweaver.errors import ConfigurationError

HEARTBEAT = "10"
"""Seconds of silence after which the broker is thought to be gone."""


@asynccontextmanager
async def open_bell(
    url: str, password: str, exchange: str, queue: str, prefetch: int
) -> AsyncGenerator[RabbitDoorbell]:
    quiet_drivers()
    bell = RabbitDoorbell(address(url, password), Names(exchange, queue), prefetch)
    async with beside(bell.run()):
        await bell.tried()
        yield bell
        await bell.close()


def quiet_drivers() -> None:
    """They log an error whenever they call a broker that is away; the bell says it once."""
    for name in ("aio_pika", "aiormq"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def address(url: str, password: str) -> URL:
    """Where the broker is and who we are there. Raises `ConfigurationError`."""
    try:
        given = URL(url)
    except ValueError as error:
        raise ConfigurationError("RABBITMQ_URL cannot be read: give amqp://…") from error
    host = given.host
    if given.scheme not in {"amqp", "amqps"} or not host:
        raise ConfigurationError("RABBITMQ_URL must be like amqp://user:password@host/")
    if given.password is None and password:
        given = given.with_user(given.user or "guest").with_password(password)
    if given.password is None and not loopback(host):
        raise ConfigurationError(
            "refusing a RabbitMQ on another machine without a password: give it in RABBITMQ_URL "
            "or RABBITMQ_PASSWORD"
        )
    return given if "heartbeat" in given.query else given.update_query(heartbeat=HEARTBEAT)


def loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
