"""The storing suites in the process."""

from tests.conformance.backends import InMemory

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
from memweaver.testing.conformance.unqueued import UnqueuedSuite
from memweaver.testing.conformance.vault import VaultSuite
from memweaver.testing.conformance.vectors import VectorStoreSuite
from memweaver.testing.conformance.webhooks import WebhookStoreSuite
from memweaver.testing.conformance.windows import StoredWindowsSuite


class TestTurns(InMemory, TurnStoreSuite):
    pass


class TestMemories(InMemory, MemoryStoreSuite):
    pass


class TestChanges(InMemory, ChangesSuite):
    pass


class TestRecords(InMemory, RecordsSuite):
    pass


class TestSegments(InMemory, SegmentSuite):
    pass


class TestVectors(InMemory, VectorStoreSuite):
    pass


class TestVault(InMemory, VaultSuite):
    pass


class TestAccess(InMemory, AccessStoreSuite):
    pass


class TestAis(InMemory, AiRegistrySuite):
    pass


class TestEvents(InMemory, EventLogSuite):
    pass


class TestWebhooks(InMemory, WebhookStoreSuite):
    pass


class TestAccounts(InMemory, AccountStoreSuite):
    pass


class TestSecrets(InMemory, SecretStoreSuite):
    pass


class TestAudit(InMemory, AuditSuite):
    pass


class TestSessions(InMemory, SessionsSuite):
    pass


class TestReplies(InMemory, RepliesSuite):
    pass


class TestSharing(InMemory, SharingSuite):
    pass


class TestQueue(InMemory, QueueSuite):
    pass


class TestClaims(InMemory, ClaimsSuite):
    pass


class TestStaging(InMemory, StagingSuite):
    pass


class TestSettling(InMemory, SettlingSuite):
    pass


class TestJobs(InMemory, JobsSuite):
    pass


class TestWindows(InMemory, StoredWindowsSuite):
    pass


class TestUnqueued(InMemory, UnqueuedSuite):
    pass
