"""The doubles that others test with."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memweaver.errors import ModelRefused, ModelUnavailable
from memweaver.testing.conformance.embedder import matrix
from memweaver.testing.doubles import FailingEmbedder, HashEmbedder, StoppedClock, Tally


async def test_texts_that_share_words_are_near_each_other() -> None:
    oslo, again, tea = matrix(
        await HashEmbedder().embed(
            ["Giulia moved to Oslo", "who moved to Oslo?", "green tea, please"]
        )
    )
    assert oslo @ again > 0.5 > oslo @ tea


async def test_the_same_text_gets_the_same_vector_in_every_process() -> None:
    vector = matrix(await HashEmbedder(dimensions=4).embed(["tea"]))[0]
    assert np.allclose(vector, [0.714583, 0.488759, 0.232660, -0.443119], atol=1e-5)


async def test_a_failing_embedder_fails_as_often_as_told() -> None:
    embedder = FailingEmbedder(ModelRefused("no"), times=2)
    for _ in range(2):
        with pytest.raises(ModelRefused):
            await embedder.embed(["tea"])
    assert len(await embedder.embed(["tea"])) == 1
    assert embedder.asked == 3


async def test_a_failing_embedder_fails_for_ever_if_not_told() -> None:
    embedder = FailingEmbedder()
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            await embedder.embed(["tea"])


def test_a_stopped_clock_moves_only_by_hand() -> None:
    clock = StoppedClock(datetime(2026, 5, 1, tzinfo=UTC))
    assert clock.now() == clock.now() == datetime(2026, 5, 1, tzinfo=UTC)
    clock.advance(timedelta(days=1))
    assert clock.now() == datetime(2026, 5, 2, tzinfo=UTC)


def test_a_stopped_clock_may_tick_when_read() -> None:
    clock = StoppedClock(step=timedelta(seconds=1))
    assert clock.now() + timedelta(seconds=1) == clock.now()


def test_names_of_a_stopped_clock_sort_as_they_were_made() -> None:
    clock = StoppedClock()
    names = [clock.new_id() for _ in range(300)]
    assert names == sorted(set(names))


def test_a_tally_adds_up_counts_and_keeps_the_latest_level() -> None:
    tally = Tally()
    tally.count("jobs", outcome="done")
    tally.count("jobs", 2, outcome="done")
    tally.count("jobs", -1, outcome="done")
    tally.time("seconds", 0.2)
    tally.time("seconds", 0.4)
    tally.level("depth", 3, state="waiting")
    tally.level("depth", 1, state="waiting")

    assert tally.told("jobs", outcome="done") == 3
    assert tally.told("jobs", outcome="dead") == 0
    assert tally.told("seconds") == 2
    assert tally.told("depth", state="waiting") == 1
    assert "jobs{'outcome': 'done'} 3\n" in tally.page()
