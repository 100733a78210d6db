"""How long it takes to be refused, by what was wrong: nothing is to be learnt from it."""

import json
import random
import secrets
from asyncio import StreamReader, StreamWriter, open_connection, sleep
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import perf_counter

import numpy as np
from pydantic import SecretStr
from tests.security.forged import FORGED, HEADER, SECRET, right, token

from benchmarks.serving import served
from benchmarks.timing import undisturbed
from benchmarks.wire import length_of, request
from memweaver.adapters.tokens.strict import LONGEST
from memweaver.app.house_sections import AccessSettings
from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.services import Services
from memweaver.services.access import PREFIX

ADMIN, GONE, NOBODY = "ada@example.org", "bob@example.org", "eve@example.org"
PASSWORD = "a long sentence nobody guesses"  # noqa: S105 - of nobody
WRONG = "another sentence nobody guessed"
SOON = timedelta(seconds=1)
WARM_UP = 3
"""First rounds that are not counted."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to be refused: what is sent, and what must be answered."""

    name: str
    sent: bytes
    status: bytes


@dataclass(frozen=True, slots=True)
class Refusing:
    """Medians in milliseconds; `spread` is from the quickest to the slowest, over the quickest."""

    forms: int
    rounds: int
    fastest: str
    fastest_p50: float
    slowest: str
    slowest_p50: float
    spread: float
    medians: Mapping[str, float]


async def measure(folder: Path, rounds: int, slow_rounds: int) -> dict[str, Refusing]:
    """Credentials of every request, then logins and sign-ups, which hash a password each."""
    access = AccessSettings(admin_email=ADMIN, token_secret=SecretStr(SECRET))
    settings = Settings(data=folder, access=access, reflector=ReflectorSettings(inside=False))
    async with open_services(settings) as services:
        credentials = await credentials_refused(services)
    with served(
        folder,
        ACCESS__ADMIN_EMAIL=ADMIN,
        ACCESS__TOKEN_SECRET=SECRET,
        ACCESS__LOGINS_PER_MINUTE=str(10**9),
        REFLECTOR__INSIDE="false",
    ) as server:
        return {
            "credentials": await timed(server.port, credentials, rounds),
            "logins": await timed(server.port, logins_refused(), slow_rounds),
            "sign-ups": await timed(server.port, sign_ups_refused(), slow_rounds),
        }


async def credentials_refused(services: Services) -> list[Form]:
    """Forged tokens, and keys and tokens that once were good or look as if they were."""
    claims = right()
    forged = {name: forge(claims) for name, forge in FORGED.items()}
    # What is longer than looked at takes longer to arrive: who sends it knows how long it is.
    texts = {name: text for name, text in forged.items() if len(text) <= LONGEST}
    texts |= await once_good(services)
    return [Form(name, shown(text), b"401") for name, text in texts.items()]


async def once_good(services: Services) -> dict[str, str]:
    access, accounts = services.access, services.accounts
    await accounts.sign_up(ADMIN, "Ada", PASSWORD)
    gone = await accounts.add(GONE, "Bob", PASSWORD)
    good, revoked = [await access.create("owner", "bench") for _ in range(2)]
    disabled = await access.create(gone.user, "bench")
    expired = await access.create("owner", "bench", expires_at=access.clock.now() + SOON)
    await access.revoke(revoked.key.id)
    tokens = {name: token(HEADER, {**right(), "jti": name}) for name in ("left", "stays")}
    await access.logins.revoke(tokens["left"])
    await accounts.disable(gone.user)
    await sleep(SOON.total_seconds())
    half = len(good.secret) // 2
    return {
        "a key of nobody": PREFIX + secrets.token_urlsafe(32),
        "a key that begins like a good one": good.secret[:half] + secrets.token_hex(32)[:half],
        "a good key but for its last character": f"{good.secret[:-1]}~",
        "a good key and one character more": f"{good.secret}A",
        "a revoked key": revoked.secret,
        "an expired key": expired.secret,
        "a key of a disabled account": disabled.secret,
        "a token that was logged out": tokens["left"],
        "a token of a disabled account": token(HEADER, {**right(), "sub": gone.user}),
        "a good token but for its last character": f"{tokens['stays'][:-1]}~",
        "nothing but a prefix": PREFIX,
    }


def shown(text: str) -> bytes:
    return request("/v1/me", {"Authorization": f"Bearer {text}"}, b"", "GET")


def logins_refused() -> list[Form]:
    tried = {
        "a wrong password": (ADMIN, WRONG),
        "an unknown address": (NOBODY, WRONG),
        "an unknown address, a known password": (NOBODY, PASSWORD),
        "a disabled account": (GONE, PASSWORD),
        "a disabled account, a wrong password": (GONE, WRONG),
    }
    return [
        Form(name, posted("/login", {"email": email, "password": password}), b"401")
        for name, (email, password) in tried.items()
    ]


def sign_ups_refused() -> list[Form]:
    tried = {"the admin's address": ADMIN, "a known address": GONE, "an unknown address": NOBODY}
    new = {"name": "Eve", "password": WRONG, "confirm": WRONG}
    return [
        Form(name, posted("/signup", {"email": email, **new}), b"403")
        for name, email in tried.items()
    ]


def posted(path: str, body: object) -> bytes:
    return request(path, {}, json.dumps(body).encode())


async def timed(port: int, forms: Sequence[Form], rounds: int) -> Refusing:
    """Each form once in every round, in an order by lot, so that a busy machine slows all alike."""
    order = random.Random(rounds)  # noqa: S311 - only an order
    times: dict[str, list[float]] = {form.name: [] for form in forms}
    said: set[bytes] = set()
    reader, writer = await open_connection("127.0.0.1", port)
    with undisturbed():
        for number in range(rounds + WARM_UP):
            for form in order.sample(forms, len(forms)):
                began = perf_counter()
                said.add(await refused(reader, writer, form))
                if number >= WARM_UP:
                    times[form.name].append(perf_counter() - began)
    writer.close()
    await writer.wait_closed()
    if len(said) != 1:
        raise ConnectionError(f"refused in different words: {sorted(said)}")
    return summed_up({name: float(np.median(each)) * 1000 for name, each in times.items()}, rounds)


async def refused(reader: StreamReader, writer: StreamWriter, form: Form) -> bytes:
    """What was answered. Raises `ConnectionError` if it was no such refusal."""
    writer.write(form.sent)
    head = await reader.readuntil(b"\r\n\r\n")
    body = await reader.readexactly(length_of(head))
    if head.split(b" ", 2)[1] != form.status:
        raise ConnectionError(f"{form.name}: {head.splitlines()[0].decode()}")
    return body


def summed_up(medians: Mapping[str, float], rounds: int) -> Refusing:
    fastest, slowest = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
    return Refusing(
        forms=len(medians),
        rounds=rounds,
        fastest=fastest,
        fastest_p50=round(medians[fastest], 4),
        slowest=slowest,
        slowest_p50=round(medians[slowest], 4),
        spread=round(medians[slowest] / medians[fastest] - 1, 4),
        medians={name: round(each, 4) for name, each in sorted(medians.items())},
    )
