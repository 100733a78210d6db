"""What answers set on a client that many share: nothing."""

from http.cookiejar import CookieJar, DefaultCookiePolicy


def no_cookies() -> CookieJar:
    """A jar that takes none: what one user's request was given would go out with another's."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))
