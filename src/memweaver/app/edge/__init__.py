"""What surrounds every request, from the outside in: see `around`."""

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from memweaver.app.edge.body import BodyLimit as BodyLimit
from memweaver.app.edge.gate import Gate as Gate
from memweaver.app.edge.requests import LastResort as LastResort
from memweaver.app.house_sections import ServerSettings
from memweaver.app.tracing import TracedRequests

PROXY = ("/v1/chat/completions", "/v1/embeddings")
"""The routes whose requests may carry images, or very much text."""
READ_ALONG = ["ETag", "Location", "Retry-After", "X-Request-Id"]
"""What pages of other origins may read of an answer's headers."""


def around(server: ServerSettings) -> list[Middleware]:
    """Everything that stands between the network and the routes, outermost first."""
    return [
        Middleware(LastResort),
        Middleware(TracedRequests),
        Middleware(Gate, server=server),
        *sharing(server),
        Middleware(
            BodyLimit,
            limit=server.body,
            larger=dict.fromkeys(PROXY, server.chat_body),
            depth=server.depth,
            patience=server.patience,
        ),
    ]


def sharing(server: ServerSettings) -> list[Middleware]:
    """Lets pages of the named origins read answers. Keys are sent by them, never by a browser."""
    if not server.origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=server.origins,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=READ_ALONG,
        )
    ]
