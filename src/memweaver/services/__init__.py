"""The verbs. Each module is one story, told from top to bottom."""

from dataclasses import dataclass

from memweaver.services.access import Access
from memweaver.services.ais import Ais
from memweaver.services.curate import Curate
from memweaver.services.embed import Embed
from memweaver.services.health import Health
from memweaver.services.jobs import Jobs
from memweaver.services.keys import Keys
from memweaver.services.maintain import Maintain
from memweaver.services.recall import Recall
from memweaver.services.record import Record
from memweaver.services.reflect.shift import Shift
from memweaver.services.watch import Watch
from memweaver.services.working import Working


@dataclass(frozen=True, slots=True)
class Services:
    """Everything this package can do: all that a way in is ever given."""

    record: Record
    recall: Recall
    curate: Curate
    embed: Embed
    maintain: Maintain
    keys: Keys
    access: Access
    ais: Ais
    health: Health
    jobs: Jobs
    watch: Watch
    working: Working
    shift: Shift
