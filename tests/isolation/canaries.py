"""Searches by everybody for what everybody has: whoever finds another's canary has found a leak."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from httpx import AsyncClient, Response
from tests.isolation.people import bearer

from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Draft, Tier
from memweaver.domain.scope import Scope
from memweaver.services import Services

WORDS = ("secret", "canary", "garden", "sister", "key", "where", "what is", "the blue house")
AIS = (None, "tutor", "coach")
SESSION = "monday"
TIERS = (Tier.CORE, Tier.EPISODIC, Tier.SEMANTIC, Tier.RELATIONAL)


RECALLS = 0.7
"""The share of searches that are recalls; the others go through lists."""
LISTS = ("/v1/memories", "/v1/turns", "/v1/relations", "/v1/sessions", "/v1/events")
FILTERS: Sequence[Mapping[str, Any]] = (
    {},
    {"session": SESSION},
    {"limit": 50},
    {"tiers": ["core", "semantic", "episodic", "archive"]},
    {"turns": False},
    {"as_of": "2100-01-01T00:00:00Z"},
)
SONG = re.compile("song[0-9a-f]{15}")


@dataclass
class Found:
    own: int = 0
    foreign: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Singer:
    """Somebody whose every record says `song`, which nobody else's does."""

    user: str
    song: str
    headers: Mapping[str, str]


@dataclass
class Choir:
    services: Services
    client: AsyncClient
    chance: Random

    async def gathered(self, people: int) -> Sequence[Singer]:
        return [await self._singer(f"singer-{number}") for number in range(people)]

    async def _singer(self, user: str) -> Singer:
        song = f"song{self.chance.getrandbits(60):015x}"
        scope = Scope(user, self.chance.choice(AIS))
        text = f"The {self.chance.choice(WORDS)} in the garden is the canary {song}."
        await self.services.record(scope, Said((Message(Role.USER, text),), SESSION))
        tier = self.chance.choice(TIERS)
        draft = Draft(text, tier=tier, key=song if tier is Tier.CORE else None)
        await self.services.curate.add(scope, draft)
        issued = await self.services.access.create(user, "song")
        return Singer(user, song, bearer(issued.secret))

    async def searched(self, singers: Sequence[Singer], searches: int) -> Found:
        """What everybody in turn finds, of their own and of others, in so many searches."""
        found, cursors = Found(), [""]
        for number in range(searches):
            singer = singers[number % len(singers)]
            answer = await self._search(singer, self.chance.choice(cursors))
            assert answer.status_code in {200, 400, 404}, answer.text
            songs = set(SONG.findall(answer.text))
            found.own += singer.song in songs
            found.foreign += [
                f"{singer.user} by {answer.request.url}" for _ in songs - {singer.song}
            ]
            if answer.status_code == 200 and (following := answer.json().get("next")):
                cursors.append(following)
        return found

    async def _search(self, singer: Singer, cursor: str) -> Response:
        """Somehow: by words, filters, names that others use too, and cursors of anybody's."""
        ai = {"ai": one} if (one := self.chance.choice(AIS)) else {}
        if self.chance.random() < RECALLS:
            query = " ".join(self.chance.sample(WORDS, 3))
            more = self.chance.choice(FILTERS)
            return await self._ask(
                singer, "POST", "/v1/recall", json={"query": query, **more, **ai}
            )
        path = self.chance.choice(LISTS)
        params = {"limit": "1", **ai, **({"cursor": cursor} if cursor else {})}
        return await self._ask(singer, "GET", path, params=params)

    async def _ask(self, singer: Singer, method: str, path: str, **more: Any) -> Response:
        return await self.client.request(method, path, headers=singer.headers, **more)
