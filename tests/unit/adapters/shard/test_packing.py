"""What the next segment must hold."""

from memweaver.adapters.shard.packing import WORTH_PACKING, Ledger


def test_few_segments_remain_and_few_rows_are_written() -> None:
    ledger, rows, written, most = Ledger(), 0, 0, 0
    for version in range(1, 201):
        rows += WORTH_PACKING
        assert ledger.worth_packing(rows)
        ledger.merge(rows)
        written += rows - ledger.start
        ledger.keep(version, rows)
        most = max(most, len(ledger._kept))
    assert most <= 8
    assert written < 10 * rows


def test_amendments_of_a_segment_taken_back_go_into_the_next() -> None:
    ledger = Ledger()
    ledger.keep(10, 1000)
    ledger.renew(3)
    ledger.embed(3)
    ledger.embed(4)
    assert (ledger.renewed, ledger.embedded, ledger.changes(1001)) == ([3], [4], 4)
    ledger.keep(20, 1001)
    assert (ledger.renewed, ledger.embedded, ledger.changes(1001)) == ([], [], 0)
    ledger.merge(1100)
    assert (ledger.after, ledger.start) == (10, 1000)
    assert (ledger.renewed, ledger.embedded) == ([3], [4])


def test_rows_that_will_be_written_whole_need_no_amendment() -> None:
    ledger = Ledger()
    ledger.keep(10, 100)
    ledger.embed(150)
    assert ledger.embedded == []


def test_segments_of_lost_rows_are_lost_and_those_before_are_not() -> None:
    ledger = Ledger()
    ledger.keep(10, 1000)
    ledger.embed(5)
    ledger.keep(20, 1200)
    ledger.embed(1100)
    ledger.lose(1050)
    assert (ledger.after, ledger.start, ledger.embedded) == (10, 1000, [5])


def test_after_a_refusal_all_is_packed_but_not_soon() -> None:
    ledger = Ledger()
    ledger.keep(10, 1000)
    ledger.refuse()
    assert ledger.start == 0
    assert not ledger.worth_packing(WORTH_PACKING)
    assert ledger.worth_packing(1000)
    ledger.keep(20, 1000)
    assert ledger.worth_packing(1000 + WORTH_PACKING)
