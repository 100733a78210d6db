"""Where a service is, and how it knows us; checked before it is used."""

from dataclasses import dataclass, field

from httpx import URL, AsyncClient, InvalidURL, Timeout

from memweaver.errors import ConfigurationError

LONGEST_CONNECT = 5.0
"""Seconds to wait for a connection, whatever an answer may take."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`timeout` is what one request may take, in seconds. Local services need no key."""

    url: str
    timeout: float
    api_key: str = field(default="", repr=False)

    def client(self) -> AsyncClient:
        """Raises `ConfigurationError` if the URL or the key cannot be sent."""
        limits = Timeout(self.timeout, connect=min(self.timeout, LONGEST_CONNECT))
        return AsyncClient(
            base_url=checked_url(self.url), headers=authorization(self.api_key), timeout=limits
        )


def checked_url(text: str) -> URL:
    try:
        url = URL(text)
    except InvalidURL as error:
        raise ConfigurationError("the model's URL is not one") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigurationError("the model's URL must begin with http:// or https:// and a host")
    return url


def authorization(api_key: str) -> dict[str, str]:
    if not api_key:
        return {}
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise ConfigurationError("the model's API key has characters that cannot be sent")
    return {"Authorization": f"Bearer {api_key}"}
