"""The sections of the settings that are about serving: who comes in, and what goes out."""

from typing import Literal

from pydantic import (
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
)

from memweaver.app.sections import Names, Section, from_literal, literal


class ServerSettings(Section):
    """Where `memweaver serve` listens."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = Field(default=8765, ge=0, le=65535)
    """The port to listen on; 0 takes a free one."""
    behind_tls: bool = False
    """Says that a proxy in front speaks TLS; without it only loopback addresses are served."""
    body: PositiveInt = 1_048_576
    """Bytes of the largest request."""
    chat_body: PositiveInt = 33_554_432
    """Bytes of the largest request to the proxy, which may carry images."""
    message: PositiveInt = 65_536
    """Bytes of the largest message over a WebSocket."""
    depth: PositiveInt = 32
    """Levels of brackets in the JSON of a request."""
    patience: PositiveFloat = 30.0
    """Seconds that a request's headers, and then its body, may take to come."""
    drain: NonNegativeFloat = 0.0
    """Seconds to go on serving after `/ready` says no, so that balancers send nothing more."""
    hosts: Names = ()
    """Names under which it is reached, beside the address it listens on; others are refused."""
    origins: Names = ()
    """Web pages of other origins that may call it; none by default."""
    proxies: Names = ()
    """Addresses of the proxies in front, which are believed when they say who calls."""
    docs: bool = True
    """Show the documentation at `/docs`."""


class AccessSettings(Section):
    """Who may come in, and how often."""

    admin_email: str = literal("ADMIN_EMAIL", "")
    """Whoever signs up with it is the first admin; or by `ADMIN_EMAIL`."""
    signup: Literal["admin", "open"] = "admin"
    """Who may sign up: only the first admin, or anybody, for a demonstration."""
    token_minutes: PositiveInt = 720
    """Minutes for which a login holds."""
    token_secret: SecretStr = Field(default_factory=from_literal("JWT_SECRET_KEY"))
    """What tokens are signed with, 32 characters or more; made by itself if not given. Or by
    `JWT_SECRET_KEY`. `FLASK_APP_SECRET_KEY` may stand beside it and signs nothing: there are no
    cookies here."""
    logins_per_minute: PositiveInt = 10
    """Tries to log in or sign up, for one address and for one account."""
    keys_per_hour: PositiveInt = 30
    """Keys that one user may make."""
    requests_per_minute: NonNegativeInt = 1200
    """Requests of one user; 0 sets no limit. Who is far ahead of what that comes to in a second
    waits while others ask."""
    tokens_per_day: NonNegativeInt = 0
    """Tokens of the chat model that one user may spend through the proxy; 0 sets no limit."""


class UpstreamSettings(Section):
    """The chat model that `/v1/chat/completions` passes requests on to, if `url` is given."""

    protocol: Literal["openai", "ollama"] = "openai"
    """What it speaks."""
    url: str = ""
    """Where it is: for OpenAI's protocol with `/v1`, as `http://127.0.0.1:8080/v1`."""
    api_key: SecretStr = Field(default_factory=from_literal("OPENAI_API_KEY_FLASK_APP"))
    """The key for it; or by `OPENAI_API_KEY_FLASK_APP`."""
    proxy: SecretStr = SecretStr("")
    """The HTTP proxy to reach it through; none is taken from the environment."""
    model: str = "gpt-4o-mini"
    """The model of requests that name none."""
    timeout: PositiveFloat = 300.0
    """Seconds without a sign of life from it after which a request is given up."""


class EventSettings(Section):
    """What is told about what happens, by Socket.IO and webhooks."""

    keep_hours: PositiveInt = 72
    """Hours for which somebody who was away can still ask what was missed."""
    heartbeat: PositiveFloat = 25.0
    """Seconds between two signs of life of a socket."""
    webhook_attempts: PositiveInt = 12
    """Tries to deliver one event, further apart each time."""
    webhook_timeout: PositiveFloat = 10.0
    """Seconds that a receiver has to answer."""
    webhook_hosts: Names = ()
    """Private hosts that webhooks may point to nevertheless; public ones always may."""


class TraceSettings(Section):
    """Traces by OpenTelemetry, if `url` is given; needs `memweaver[otel]`."""

    url: str = ""
    """Where spans are sent by OTLP over HTTP, as `http://127.0.0.1:4318`."""
    headers: SecretStr = SecretStr("")
    """Headers to send along, as `name=value` pairs separated by commas."""
    share: float = Field(default=1.0, ge=0, le=1)
    """Share of the requests that are traced."""
