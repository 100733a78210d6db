"""The contract of the `Audit` port, as tests."""

from memweaver.ports.audit import Deed
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import BackendSuite, later


class AuditSuite(BackendSuite):
    async def test_deeds_are_read_latest_first(self, backend: Backend) -> None:
        deeds = [Deed(later(minute), "ann", "key made", f"k{minute}") for minute in range(3)]
        for deed in deeds:
            await backend.audit.note(deed)
        assert await backend.audit.deeds(10) == deeds[::-1]
        assert await backend.audit.deeds(2) == [deeds[2], deeds[1]]

    async def test_deeds_outlive_whom_they_are_about(self, backend: Backend) -> None:
        deed = Deed(later(0), "ann", "all forgotten", "ann")
        await backend.audit.note(deed)
        await backend.vault.destroy("ann")
        assert await backend.audit.deeds(1) == [deed]
