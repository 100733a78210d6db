"""What is written about what happens: ids and numbers, never what people said."""

import logging
import sys
import traceback
from asyncio import CancelledError
from collections.abc import Sequence
from contextvars import ContextVar

import structlog
from structlog.typing import EventDict, Processor

from memweaver.app.sections import LogSettings

QUIET = ("uvicorn.error", "httpx", "httpx2", "alembic")
"""Libraries whose everyday lines say nothing that ours do not, or name what ours must not."""
OUTLASTED = "Cancel %s running task(s), timeout graceful shutdown exceeded"
"""What uvicorn says of answers that last longer than a stop has patience for."""

REQUEST: ContextVar[str] = ContextVar("request")
"""The id of the request that is being answered, so that its lines can be found together."""


def configure_logging(settings: LogSettings) -> None:
    """Send every line of this process to standard error, in one shape."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_log_level,
                structlog.stdlib.ExtraAdder(),
                structlog.processors.TimeStamper(fmt="iso"),
                where_only,
                of_request,
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *renderers(in_json=settings.format == "json" or not for_people(settings)),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(calmly)


def calmly(line: logging.LogRecord) -> bool:
    """A stop that cuts answers off is no mistake: a warning says how many, and nothing of each."""
    if line.msg == OUTLASTED:
        line.levelno, line.levelname = logging.WARNING, "WARNING"
    return not (line.exc_info and isinstance(line.exc_info[1], CancelledError))


def for_people(settings: LogSettings) -> bool:
    return settings.format == "console" or sys.stderr.isatty()


def renderers(*, in_json: bool) -> Sequence[Processor]:
    if in_json:
        return [structlog.processors.JSONRenderer()]
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]


def of_request(_: object, __: str, event: EventDict) -> EventDict:
    """Which request a line is about, if it is about one."""
    if (request := REQUEST.get(None)) is not None:
        event["request"] = request
    return event


def where_only(_: object, __: str, event: EventDict) -> EventDict:
    """Of an exception its class and place: its message may quote what people said."""
    info = event.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else None
    if isinstance(error, BaseException):
        event["error"] = [type(one).__name__ for one in causes(error)]
        event["where"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event


def causes(error: BaseException) -> Sequence[BaseException]:
    """`error`, what it was raised from, and so on."""
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) and cause not in chain:
        chain.append(cause)
    return chain
