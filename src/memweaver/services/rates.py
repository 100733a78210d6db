"""Rates: how often one may try to get in, make keys, ask, and how much one may spend."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from memweaver.domain.rate import Allowance, window_of
from memweaver.errors import RateLimited
from memweaver.ports.clock import Clock
from memweaver.ports.counter import Counter
from memweaver.ports.meter import Meter

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Rates:
    """Each raises `RateLimited` when it is too much. What is refused does not count.

    What is not too much may still come all at once: the `Turnstile` is for that.
    """

    counter: Counter
    clock: Clock
    meter: Meter
    logins_per_minute: int
    keys_per_hour: int
    requests_per_minute: int

    async def login(self, address: str, email: str) -> None:
        """A try to log in or sign up: from one address, and for one account."""
        allowance = Allowance(self.logins_per_minute, MINUTE)
        await self._take(f"login from {address}", allowance, "logins")
        await self._take(f"login as {email.strip().casefold()}", allowance, "logins")

    async def key(self, user: str) -> None:
        await self._take(f"keys of {user}", Allowance(self.keys_per_hour, HOUR), "keys")

    async def request(self, user: str) -> None:
        if self.requests_per_minute:
            allowance = Allowance(self.requests_per_minute, MINUTE)
            await self._take(f"requests of {user}", allowance, "requests")

    async def _take(self, name: str, allowance: Allowance, kind: str) -> None:
        now = self.clock.now()
        counted = await self.counter.add(name, 1, allowance.window, now)
        if allowance.exceeded(counted.before, counted.now, now):
            await self.counter.add(name, -1, allowance.window, now)
            self.meter.count("rate_limited", what=kind)
            wait = allowance.wait
            raise RateLimited(f"too many {kind}: wait a little", retry_after=wait)


@dataclass(frozen=True, slots=True)
class Quota:
    """How many tokens of the chat model a user may spend in a day; 0 sets no limit."""

    counter: Counter
    clock: Clock
    meter: Meter
    tokens_per_day: int

    async def reserve(self, user: str, tokens: int) -> "Reserved":
        """Set aside about what a reply will cost. Raises `RateLimited` if all is spent.

        Whoever has anything left may ask once more: so a limit is overdrawn by one reply at most,
        however many are asked for at once, and the smallest limit allows one.
        """
        now = self.clock.now()
        reserved = Reserved(user, tokens, now)
        if not self.tokens_per_day:
            return reserved
        allowance = Allowance(self.tokens_per_day, DAY)
        counted = await self.counter.add(f"tokens of {user}", tokens, DAY, now)
        if allowance.exceeded(counted.before, counted.now - tokens + 1, now):
            await self.settle(reserved, 0)
            self.meter.count("rate_limited", what="tokens")
            raise RateLimited(
                f"the {self.tokens_per_day} tokens of a day are spent: wait, or ask for more",
                retry_after=allowance.wait,
            )
        return reserved

    async def settle(self, reserved: "Reserved", tokens: int) -> None:
        """Count what a reply has cost in place of what was set aside; never refuses."""
        if self.tokens_per_day:
            now = self.clock.now()
            same_day = window_of(now, DAY) == window_of(reserved.at, DAY)
            more = tokens - reserved.tokens if same_day else tokens
            await self.counter.add(f"tokens of {reserved.user}", more, DAY, now)


@dataclass(frozen=True, slots=True)
class Reserved:
    """Tokens that are set aside until it is known what a reply has cost."""

    user: str
    tokens: int
    at: datetime
