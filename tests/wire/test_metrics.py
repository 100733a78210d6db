"""/metrics: read by Prometheus, with the key of whoever runs the house, and about nobody."""

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.wire.house import House, Visitor

TURN = {"messages": [{"role": "user", "text": "The heron nests at the old mill."}]}


def figures(visitor: Visitor) -> dict[str, float]:
    """The figures without labels, and those of the queue by state."""
    page = visitor.ask("GET /metrics")
    assert page.status_code == 200
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(page.text)
        for sample in family.samples
    }


@pytest.mark.requirement("D11")
def test_what_happens_is_counted(house: House, visitor: Visitor) -> None:
    operator = house.admin()
    before = figures(operator)
    visitor.ask("POST /v1/turns", TURN)
    visitor.ask("POST /v1/recall", {"query": "Where does the heron nest?"})
    after = figures(operator)

    for name in (
        "memweaver_turns_recorded_total",
        "memweaver_record_seconds_count",
        "memweaver_recall_seconds_count",
    ):
        assert after[name] == before[name] + 1
    rung = "memweaver_doorbell_rings_total rung"
    assert after[rung] == before.get(rung, 0) + 1
    assert after["memweaver_queue_readable"] == 1
    assert after["memweaver_queue_jobs dead"] == 0


@pytest.mark.requirement("D11", "C1")
def test_nobody_is_named_and_nothing_said_is_repeated(house: House, visitor: Visitor) -> None:
    kept = visitor.ask("POST /v1/turns", {**TURN, "session": "birdwatching"}).json()
    house.settle()

    page = house.admin().ask("GET /metrics").text.lower()

    for private in (visitor.user, visitor.secret, kept["id"], "heron", "birdwatching"):
        assert private not in page


def test_the_figures_are_for_whoever_runs_the_house(visitor: Visitor) -> None:
    answer = visitor.ask("GET /metrics")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
