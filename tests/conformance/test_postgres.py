"""The storing suites over Postgres."""

import pytest
from tests.conformance.backends import OnPostgres, WithheldOnPostgres, WithoutTable

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

pytestmark = pytest.mark.postgres


class TestTurns(OnPostgres, TurnStoreSuite):
    pass


class TestMemories(OnPostgres, MemoryStoreSuite):
    pass


class TestChanges(OnPostgres, ChangesSuite):
    pass


class TestRecords(OnPostgres, RecordsSuite):
    pass


class TestSegments(OnPostgres, SegmentSuite):
    pass


class TestVectors(OnPostgres, VectorStoreSuite):
    pass


class TestVault(OnPostgres, VaultSuite):
    pass


class TestAccess(OnPostgres, AccessStoreSuite):
    pass


class TestAis(OnPostgres, AiRegistrySuite):
    pass


class TestEvents(OnPostgres, EventLogSuite):
    pass


class TestWebhooks(OnPostgres, WebhookStoreSuite):
    pass


class TestAccounts(OnPostgres, AccountStoreSuite):
    pass


class TestSecrets(OnPostgres, SecretStoreSuite):
    pass


class TestAudit(OnPostgres, AuditSuite):
    pass


class TestSessions(OnPostgres, SessionsSuite):
    pass


class TestReplies(OnPostgres, RepliesSuite):
    pass


class TestSharing(OnPostgres, SharingSuite):
    pass


class TestQueue(OnPostgres, QueueSuite):
    pass


class TestClaims(OnPostgres, ClaimsSuite):
    pass


class TestStaging(OnPostgres, StagingSuite):
    pass


class TestSettling(OnPostgres, SettlingSuite):
    pass


class TestJobs(OnPostgres, JobsSuite):
    pass


class TestWindows(OnPostgres, StoredWindowsSuite):
    pass


class TestUnqueued(OnPostgres, UnqueuedSuite):
    pass


class TestWithoutJobs(WithoutTable, OnPostgres, QueueUnavailableSuite):
    pass


class TestWithoutLanes(WithoutTable, OnPostgres, QueueUnavailableSuite):
    table = "lanes"


class TestJobsWithheld(WithheldOnPostgres, QueueUnavailableSuite):
    pass


class TestLanesWithheld(WithheldOnPostgres, QueueUnavailableSuite):
    table = "lanes"
