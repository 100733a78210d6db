"""Wires who may come in: accounts, keys, tokens, and how often."""

from datetime import timedelta
from typing import TypedDict

from memweaver.adapters.tokens import Argon2Passwords, Jwts
from memweaver.app.house_sections import AccessSettings
from memweaver.ports.backend import Backend
from memweaver.ports.clock import Clock
from memweaver.ports.counter import Counter
from memweaver.ports.meter import Meter
from memweaver.services.access import Access
from memweaver.services.accounts import Accounts, SignUp
from memweaver.services.acting import Acting
from memweaver.services.audit import Auditing
from memweaver.services.cursors import Cursors
from memweaver.services.rates import Quota, Rates
from memweaver.services.signing import Signing
from memweaver.services.tokens import Logins


class Entrance(TypedDict):
    access: Access
    accounts: Accounts
    signing: Signing
    cursors: Cursors
    rates: Rates
    quota: Quota
    audit: Auditing


def build_entrance(
    settings: AccessSettings, backend: Backend, clock: Clock, counter: Counter, meter: Meter
) -> Entrance:
    tokens, signing = Jwts(), Signing(backend.secrets, clock)
    given = settings.token_secret.get_secret_value()
    logins = Logins(
        tokens,
        backend.accounts,
        backend.access,
        signing,
        clock,
        lifetime=timedelta(minutes=settings.token_minutes),
        given=given.encode() if given else None,
    )
    return Entrance(
        access=Access(
            backend.access, backend.accounts, logins, Acting(tokens, signing, clock), clock
        ),
        accounts=Accounts(
            backend.accounts,
            Argon2Passwords(),
            logins,
            clock,
            admin_email=settings.admin_email,
            signup=SignUp(settings.signup),
        ),
        signing=signing,
        cursors=Cursors(signing),
        rates=Rates(
            counter,
            clock,
            meter,
            logins_per_minute=settings.logins_per_minute,
            keys_per_hour=settings.keys_per_hour,
            requests_per_minute=settings.requests_per_minute,
        ),
        quota=Quota(counter, clock, meter, settings.tokens_per_day),
        audit=Auditing(backend.audit, clock),
    )
