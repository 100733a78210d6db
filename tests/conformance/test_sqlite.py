"""The storing suites over SQLite."""

from tests.conformance.backends import Sqlite, WithoutTable

from memweaver.testing.conformance.access import AccessStoreSuite
from memweaver.testing.conformance.accounts import AccountStoreSuite
from memweaver.testing.conformance.audit import AuditSuite
from memweaver.testing.conformance.changes import ChangesSuite
from memweaver.testing.conformance.claims import ClaimsSuite
from memweaver.testing.conformance.events import EventLogSuite
from memweaver.testing.conformance.jobs import JobsSuite
from memweaver.testing.conformance.memories import MemoryStoreSuite
from memweaver.testing.conformance.queue import QueueSuite
from memweaver.testing.conformance.records import RecordsSuite
from memweaver.testing.conformance.registry import AiRegistrySuite
from memweaver.testing.conformance.replies import RepliesSuite
from memweaver.testing.conformance.secrets import SecretStoreSuite
from memweaver.testing.conformance.segments import SegmentSuite
from memweaver.testing.conformance.sessions import SessionsSuite
from memweaver.testing.conformance.settling import SettlingSuite
from memweaver.testing.conformance.sharing import SharingSuite
from memweaver.testing.conformance.staging import StagingSuite
from memweaver.testing.conformance.store import TurnStoreSuite
from memweaver.testing.conformance.unqueued import QueueUnavailableSuite, UnqueuedSuite
from memweaver.testing.conformance.vault import VaultSuite
from memweaver.testing.conformance.vectors import VectorStoreSuite
from memweaver.testing.conformance.webhooks import WebhookStoreSuite
from memweaver.testing.conformance.windows import StoredWindowsSuite


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


class TestEvents(Sqlite, EventLogSuite):
    pass


class TestWebhooks(Sqlite, WebhookStoreSuite):
    pass


class TestAccounts(Sqlite, AccountStoreSuite):
    pass


class TestSecrets(Sqlite, SecretStoreSuite):
    pass


class TestAudit(Sqlite, AuditSuite):
    pass


class TestSessions(Sqlite, SessionsSuite):
    pass


class TestReplies(Sqlite, RepliesSuite):
    pass


class TestSharing(Sqlite, SharingSuite):
    pass


class TestQueue(Sqlite, QueueSuite):
    pass


class TestClaims(Sqlite, ClaimsSuite):
    pass


class TestStaging(Sqlite, StagingSuite):
    pass


class TestSettling(Sqlite, SettlingSuite):
    pass


class TestJobs(Sqlite, JobsSuite):
    pass


class TestWindows(Sqlite, StoredWindowsSuite):
    pass


class TestUnqueued(Sqlite, UnqueuedSuite):
    pass


class TestWithoutJobs(WithoutTable, Sqlite, QueueUnavailableSuite):
    pass


class TestWithoutLanes(WithoutTable, Sqlite, QueueUnavailableSuite):
    table = "lanes"
