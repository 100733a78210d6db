"""The storing suites over SQLite."""

from tests.conformance.backends import Sqlite

from memweaver.testing.conformance.access import AccessStoreSuite
from memweaver.testing.conformance.changes import ChangesSuite
from memweaver.testing.conformance.memories import MemoryStoreSuite
from memweaver.testing.conformance.records import RecordsSuite
from memweaver.testing.conformance.registry import AiRegistrySuite
from memweaver.testing.conformance.segments import SegmentSuite
from memweaver.testing.conformance.store import TurnStoreSuite
from memweaver.testing.conformance.vault import VaultSuite
from memweaver.testing.conformance.vectors import VectorStoreSuite


class TestTurns(Sqlite, TurnStoreSuite):
    pass


class TestMemories(Sqlite, MemoryStoreSuite):
    pass


class TestChanges(Sqlite, ChangesSuite):
    pass


class TestRecords(Sqlite, RecordsSuite):
    pass


class TestSegments(Sqlite, SegmentSuite):
    pass


class TestVectors(Sqlite, VectorStoreSuite):
    pass


class TestVault(Sqlite, VaultSuite):
    pass


class TestAccess(Sqlite, AccessStoreSuite):
    pass


class TestAis(Sqlite, AiRegistrySuite):
    pass
