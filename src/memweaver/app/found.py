"""What services stand on, and what they tell others by."""

from dataclasses import dataclass, field

from memweaver.adapters.memory.counter import InMemoryCounter
from memweaver.adapters.memory.courier import InMemoryCourier
from memweaver.adapters.memory.doorbell import InMemoryDoorbell
from memweaver.adapters.memory.events import LocalEvents
from memweaver.adapters.memory.near import NearWindows
from memweaver.adapters.memory.upstream import Nowhere
from memweaver.app.metrics import PrometheusMeter
from memweaver.app.opening import Minds
from memweaver.ports.backend import Backend
from memweaver.ports.clock import Clock
from memweaver.ports.counter import Counter
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.index import Index
from memweaver.ports.meter import Figures
from memweaver.ports.models import Embedder
from memweaver.ports.upstream import Upstream
from memweaver.ports.webhooks import Courier
from memweaver.ports.windows import Windows
from memweaver.services.courtesy import Courtesy


@dataclass(frozen=True, slots=True)
class Around:
    """What services tell others by; by default within this process."""

    doorbell: Doorbell = field(default_factory=InMemoryDoorbell)
    windows: Windows = field(default_factory=NearWindows)
    events: LocalEvents = field(default_factory=LocalEvents)
    figures: Figures = field(default_factory=PrometheusMeter)
    counter: Counter = field(default_factory=InMemoryCounter)
    upstream: Upstream = field(default_factory=Nowhere)
    courier: Courier = field(default_factory=InMemoryCourier)
    courtesy: Courtesy = field(default_factory=Courtesy)


@dataclass(frozen=True, slots=True)
class Found:
    """What services stand on."""

    clock: Clock
    backend: Backend
    embedder: Embedder
    index: Index
    minds: Minds
    around: Around
