"""The verbs. Each module is one story, told from top to bottom."""

from dataclasses import dataclass

from memweaver.services.access import Access
from memweaver.services.accounts import Accounts
from memweaver.services.ais import Ais
from memweaver.services.audit import Auditing
from memweaver.services.chat import Chat
from memweaver.services.converse import Converse
from memweaver.services.curate import Curate
from memweaver.services.cursors import Cursors
from memweaver.services.embed import Embed
from memweaver.services.entries import Entries
from memweaver.services.forget import Forget
from memweaver.services.health import Health
from memweaver.services.jobs import Jobs
from memweaver.services.keys import Keys
from memweaver.services.listen import Listen
from memweaver.services.maintain import Maintain
from memweaver.services.once import Once
from memweaver.services.rates import Quota, Rates
from memweaver.services.recall import Recall
from memweaver.services.record import Record
from memweaver.services.reflect.shift import Shift
from memweaver.services.relate import Relate
from memweaver.services.sessions import Sessions
from memweaver.services.signing import Signing
from memweaver.services.turnstile import Turnstile
from memweaver.services.upkeep import Upkeep
from memweaver.services.watch import Watch
from memweaver.services.webhooks import Webhooks
from memweaver.services.working import Working


@dataclass(frozen=True, slots=True)
class Services:
    """Everything this package can do: all that a way in is ever given."""

    record: Record
    recall: Recall
    chat: Chat
    converse: Converse
    curate: Curate
    embed: Embed
    maintain: Maintain
    keys: Keys
    access: Access
    ais: Ais
    sessions: Sessions
    forget: Forget
    relate: Relate
    entries: Entries
    once: Once
    health: Health
    upkeep: Upkeep
    jobs: Jobs
    watch: Watch
    working: Working
    shift: Shift
    listen: Listen
    webhooks: Webhooks
    accounts: Accounts
    signing: Signing
    cursors: Cursors
    rates: Rates
    turnstile: Turnstile
    quota: Quota
    audit: Auditing
