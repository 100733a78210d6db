"""The figures: declared in one table, kept apart for every meter, readable by Prometheus."""

import ast
import re
from collections.abc import Iterator

import pytest
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.parser import text_string_to_metric_families
from tests.architecture.project import files

from memweaver.app.metrics import FIGURES, PREFIX, PrometheusMeter

PRIVATE = {"user", "user_id", "ai", "session", "scope", "name", "text", "job", "turn", "memory"}
"""Labels that would tell who somebody is or what they said."""


def samples(meter: PrometheusMeter) -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(meter.page())
        for sample in family.samples
    }


@pytest.mark.requirement("D11")
def test_what_was_noted_can_be_read() -> None:
    meter = PrometheusMeter()
    meter.count("jobs_settled", outcome="done")
    meter.count("jobs_settled", 2, outcome="retried", code="model_unavailable")
    meter.time("reflection_seconds", 0.2, stage="load")
    meter.time("reflection_seconds", 0.3, stage="load")
    meter.level("queue_jobs", 7, state="waiting")
    meter.level("queue_jobs", 5, state="waiting")

    read = samples(meter)

    assert read["memweaver_jobs_settled_total", "", "done"] == 1
    assert read["memweaver_jobs_settled_total", "model_unavailable", "retried"] == 2
    assert read["memweaver_reflection_seconds_count", "load"] == 2
    assert read["memweaver_reflection_seconds_sum", "load"] == pytest.approx(0.5)
    assert read["memweaver_queue_jobs", "waiting"] == 5


def test_figures_without_labels_are_there_from_the_start() -> None:
    read = samples(PrometheusMeter())

    assert read["memweaver_turns_recorded_total",] == 0
    assert read["memweaver_recall_seconds_count",] == 0


def test_less_than_nothing_adds_nothing_and_breaks_nothing() -> None:
    meter = PrometheusMeter()
    meter.count("turns_recorded", -1)

    assert samples(meter)["memweaver_turns_recorded_total",] == 0


def test_two_meters_do_not_meet() -> None:
    one, other = PrometheusMeter(), PrometheusMeter()
    one.count("turns_recorded")

    assert samples(one)["memweaver_turns_recorded_total",] == 1
    assert samples(other)["memweaver_turns_recorded_total",] == 0


def test_what_the_table_does_not_declare_is_a_mistake_in_the_program() -> None:
    meter = PrometheusMeter()

    with pytest.raises(LookupError, match="`turns_forgotten` is not declared"):
        meter.count("turns_forgotten")
    with pytest.raises(LookupError, match="has no label user"):
        meter.count("jobs_settled", outcome="done", user="ann")
    with pytest.raises(TypeError, match="not declared as a counter"):
        meter.count("record_seconds")
    with pytest.raises(TypeError, match="not declared as a histogram"):
        meter.time("turns_recorded", 1)
    with pytest.raises(TypeError, match="not declared as a gauge"):
        meter.level("turns_recorded", 1)


@pytest.mark.requirement("D11")
def test_no_label_can_name_anybody() -> None:
    assert {label for figure in FIGURES.values() for label in figure.labels} & PRIVATE == set()


def noted(source: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The figures that a file notes, with their labels."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(attr="meter" | "_meter" | "figures"),
                    attr="count" | "time" | "level",
                ),
                args=[ast.Constant(value=str(name)), *_],
                keywords=labels,
            ):
                yield name, frozenset(one.arg for one in labels if one.arg)


def test_every_figure_that_is_noted_is_declared_and_the_other_way_round() -> None:
    found = [one for _, text in files("src/memweaver") for one in noted(text)]

    assert [
        (name, sorted(labels))
        for name, labels in found
        if name not in FIGURES or not labels - {"amount"} <= set(FIGURES[name].labels)
    ] == []
    assert set(FIGURES) - {name for name, _ in found} == set()


def test_a_figure_that_is_noted_is_found() -> None:
    source = "self.meter.count('a', 2, outcome=x)\nself._meter.time('b', 1.0)\nother.count('c')"

    assert list(noted(source)) == [("a", frozenset({"outcome"})), ("b", frozenset())]


def page_for_operators() -> str:
    [page] = [text for name, text in files("docs/howto", suffix=".md") if "watch.md" in name]
    return page


@pytest.mark.requirement("D11")
def test_the_page_for_operators_lists_every_figure() -> None:
    page = page_for_operators()

    assert [name for name in FIGURES if f"`{PREFIX}{name}" not in page] == []


@pytest.mark.requirement("D11")
def test_an_alert_watches_what_there_is() -> None:
    alerts = page_for_operators().split("## Alerts")[1].split("## ")[0]
    endings = {Counter: "_total", Gauge: "", Histogram: "_bucket"}
    series = {f"{PREFIX}{name}{endings[one.kind]}" for name, one in FIGURES.items()}

    watched = re.findall(rf"({PREFIX}\w+)(?=[ {{\[])", alerts)

    assert len(set(watched)) >= 6
    assert set(watched) - series == set()
