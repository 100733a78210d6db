"""What the driver raises, and what it means."""

from aio_pika.exceptions import CONNECTION_EXCEPTIONS, ChannelPreconditionFailed
from aiormq.exceptions import (
    AuthenticationError,
    ChannelAccessRefused,
    ConnectionNotAllowed,
    ProbableAuthenticationError,
)

from memweaver.adapters.rabbitmq.names import Names
from memweaver.errors import BackendUnavailable, ConfigurationError

LOST = (*CONNECTION_EXCEPTIONS, TimeoutError)
"""All that a broker, or the way to it, may do to us."""
REFUSED = (
    AuthenticationError,
    ChannelAccessRefused,
    ConnectionNotAllowed,
    ProbableAuthenticationError,
)


def ours(error: BaseException, names: Names) -> BackendUnavailable | ConfigurationError:
    if isinstance(error, ChannelPreconditionFailed):
        return ConfigurationError(
            f"RabbitMQ has `{names.exchange}`, `{names.queue}` or what belongs to them already, "
            f"declared differently ({error}): delete that one there, which loses nothing but "
            "bells, or set RABBITMQ_EXCHANGE and RABBITMQ_QUEUE to names that are free"
        )
    if isinstance(error, REFUSED):
        return ConfigurationError(
            f"RabbitMQ refuses this login ({type(error).__name__}): check the user, password and "
            "virtual host in RABBITMQ_URL and RABBITMQ_PASSWORD, and that the user may configure, "
            f"write and read `{names.exchange}` and `{names.queue}`"
        )
    return BackendUnavailable(
        f"RabbitMQ is away, or without this virtual host or queue ({type(error).__name__})"
    )


def first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """One of the errors that tasks ended with together."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
