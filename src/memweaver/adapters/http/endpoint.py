"""Where a service is, and how it knows us; checked before it is used."""

from dataclasses import dataclass, field

from httpx import URL, AsyncClient, InvalidURL, Limits, Timeout

from memweaver.adapters.http.cookies import no_cookies
from memweaver.errors import ConfigurationError

LONGEST_CONNECT = 5.0
"""Seconds to wait for a connection, whatever an answer may take."""
LARGEST_PORT = 65_535
SOME = Limits(max_connections=100, max_keepalive_connections=20)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`timeout` is what one request may take, in seconds. Local services need no key.

    The key is for the host of `url` and for nobody else: redirects are not followed, and only
    `proxy` is gone through, whatever the environment names. Cookies are not kept.
    """

    url: str
    timeout: float
    api_key: str = field(default="", repr=False)
    proxy: str = field(default="", repr=False)

    def client(self, limits: Limits = SOME) -> AsyncClient:
        """Raises `ConfigurationError` if the URL or the key cannot be sent."""
        timeout = Timeout(self.timeout, connect=min(self.timeout, LONGEST_CONNECT))
        return AsyncClient(
            base_url=without_user(checked_url(self.url)),
            headers=authorization(self.api_key),
            timeout=timeout,
            limits=limits,
            follow_redirects=False,
            trust_env=False,
            cookies=no_cookies(),
            proxy=str(checked_url(self.proxy, "proxy's")) if self.proxy else None,
        )


def checked_url(text: str, whose: str = "model's") -> URL:
    try:
        url = URL(text)
    except InvalidURL as error:
        raise ConfigurationError(f"the {whose} URL is not one") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigurationError(f"the {whose} URL must begin with http:// or https:// and a host")
    if url.port is not None and not 0 < url.port <= LARGEST_PORT:
        raise ConfigurationError(f"the {whose} URL has a port that cannot be")
    return url


def without_user(url: URL) -> URL:
    """What stands before an @ would be sent in the place of the key, and shown with the URL."""
    if url.userinfo:
        raise ConfigurationError("the model's URL must have no user or password: give an API key")
    return url


def authorization(api_key: str) -> dict[str, str]:
    if not api_key:
        return {}
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise ConfigurationError("the model's API key has characters that cannot be sent")
    return {"Authorization": f"Bearer {api_key}"}
