"""The benchmarks measure what they say."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from benchmarks import baselines, metrics, proxy, recall, report, speed
from benchmarks.dataset import BadData, Query, load
from benchmarks.figures import at_least, at_most
from benchmarks.measures import proxied
from benchmarks.results import describe, keep, latest
from benchmarks.synthetic import ScriptedEmbedder, talk
from benchmarks.tables import Sheet, markdown
from benchmarks.timing import growth, spread

from memweaver.domain.conversation import Role

FOUND = ["a", "x", "b", "y", "z"]
LN2, LN3, LN4 = 1.0, 1.5849625007211562, 2.0


@pytest.mark.parametrize(
    ("depth", "evidence", "recall", "hit"),
    [
        (1, {"a"}, 1.0, 1.0),
        (1, {"b"}, 0.0, 0.0),
        (2, {"a", "b"}, 0.5, 1.0),
        (3, {"a", "b"}, 1.0, 1.0),
        (5, {"a", "b", "never"}, 2 / 3, 1.0),
    ],
)
def test_recall_is_the_share_of_the_evidence_and_hit_is_any_of_it(
    depth: int, evidence: set[str], recall: float, hit: float
) -> None:
    assert metrics.recall_at(depth, FOUND, evidence) == pytest.approx(recall)
    assert metrics.hit_at(depth, FOUND, evidence) == hit


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ({"a"}, 1.0),
        ({"x"}, 1 / LN3),
        ({"a", "b"}, (1 / LN2 + 1 / LN4) / (1 / LN2 + 1 / LN3)),
        ({"never"}, 0.0),
    ],
)
def test_ndcg_discounts_what_is_found_late(evidence: set[str], expected: float) -> None:
    assert metrics.ndcg_at(10, FOUND, evidence) == pytest.approx(expected)


def test_the_mean_is_over_counted_questions_and_the_others_stand_apart() -> None:
    queries = [
        Query("?", "single", frozenset({"a"}), counted=True),
        Query("?", "multi", frozenset({"a", "b"}), counted=True),
        Query("?", "adversarial", frozenset({"a"}), counted=False),
    ]
    found = metrics.summary(queries, [["a"], ["a"], []])
    assert found.overall["questions"] == 2
    assert found.overall["recall@10"] == 0.75
    assert found.by_type["multi"]["recall@10"] == 0.5
    assert found.as_dict()["adversarial_recall@10"] == 0.0


def test_bm25_agrees_with_the_formula_worked_by_hand() -> None:
    scores = baselines.Bm25(["red fox", "red red hen", "blue sky"]).scores("Where is the RED one?")
    rarity = np.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    average = 7 / 3
    once = 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / average))
    twice = 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / average))
    assert scores == pytest.approx([rarity * once, rarity * twice, 0.0])


def test_bm25_knows_word_forms_and_ignores_stop_words() -> None:
    index = baselines.Bm25(["she paints landscapes", "where is what and why"])
    assert baselines.ranked_found(index.scores("What painting?")) == [0]
    assert baselines.ranked_found(index.scores("Where is it, and why?")) == []


def test_ranking_is_by_score_and_stable() -> None:
    assert baselines.ranked(np.array([0.1, 0.9, 0.1, 0.5], np.float32)) == [1, 3, 0, 2]


@pytest.mark.parametrize(
    ("rankings", "expected"),
    [
        ([[0, 1, 2], [0, 1, 2]], [0, 1, 2]),
        ([[0, 1], [1, 0]], [0, 1]),
        ([[0, 1, 2], [2, 1]], [2, 1, 0]),
        ([[0, 1, 2], []], [0, 1, 2]),
    ],
)
def test_rank_fusion_prefers_what_both_find(
    rankings: Sequence[Sequence[int]], expected: list[int]
) -> None:
    assert baselines.fused(rankings) == expected


def test_a_figure_is_kept_up_to_its_bound() -> None:
    assert at_least("recall", 0.8, 0.8).kept
    assert not at_least("recall", 0.799, 0.8).kept
    assert at_most("ratio", 4.0, 4).kept
    assert not at_most("ratio", 4.01, 4).kept


def tiny(name: str = "tiny") -> dict[str, object]:
    return {
        "name": name,
        "conversations": [
            {
                "id": "one",
                "turns": [
                    turn("1", "Ann", "My parrot Coco learned to whistle."),
                    turn("2", "Bob", "I moved to Lisbon last week."),
                    turn("3", "User", "Book me a table for two."),
                    turn("4", "Assistant", "The table is booked."),
                ],
                "questions": [
                    question("What did the parrot learn?", ["1"]),
                    question("Who lives in Lisbon?", ["2"]),
                    question("Which table did I book?", ["3", "4"], kind="adversarial"),
                    question("Whose evidence is gone?", ["99"]),
                ],
            }
        ],
    }


def turn(name: str, speaker: str, text: str) -> dict[str, object]:
    return {"id": name, "session": 1, "at": "2024-05-01T10:00:00", "speaker": speaker, "text": text}


def question(text: str, evidence: list[str], kind: str = "single") -> dict[str, object]:
    return {"text": text, "type": kind, "evidence": evidence, "counted": kind != "adversarial"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "tiny.json").write_text(json.dumps(tiny()), encoding="utf-8")
    return tmp_path


def test_a_data_set_is_read_with_its_speakers_as_roles_or_names(data: Path) -> None:
    [found] = load(data)
    [conversation] = found.conversations
    messages = [utterance.message for utterance in conversation.utterances]
    assert [(message.role, message.name) for message in messages] == [
        (Role.USER, "Ann"),
        (Role.USER, "Bob"),
        (Role.USER, None),
        (Role.ASSISTANT, None),
    ]
    assert conversation.texts[0] == "Ann: My parrot Coco learned to whistle."
    assert conversation.utterances[0].at.isoformat() == "2024-05-01T10:00:00+00:00"


def test_questions_whose_evidence_names_no_turn_are_left_out(data: Path) -> None:
    [found] = load(data / "tiny.json")
    assert [query.text for query in found.queries][-1] == "Which table did I book?"
    assert len(found.queries) == 3


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"name": "x"}', '{"name": "x", "conversations": 1}']
)
def test_a_file_that_is_no_data_set_is_named(tmp_path: Path, content: str) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadData, match=r"wrong\.json"):
        load(file)


def test_a_folder_or_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="holds no"):
        load(tmp_path)
    with pytest.raises(BadData, match="cannot be read"):
        load(tmp_path / "missing.json")


def test_made_up_talk_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    one = talk(50, questions=5, seed=1)
    assert talk(50, questions=5, seed=1) == one
    assert talk(50, questions=0, seed=1).texts == one.texts
    assert talk(50, questions=5, seed=2).texts != one.texts
    assert len({said.session for said in one.said}) == 3


def test_words_of_made_up_talk_follow_a_law_of_few_and_many() -> None:
    words = [word for text in talk(500, questions=0, seed=1).texts for word in text.split()]
    rare = [word for word in set(words) if words.count(word) == 1]
    assert len(rare) > len(set(words)) / 3
    assert len(set(words)) < len(words) / 2


async def test_scripted_vectors_are_unit_vectors_that_depend_on_the_text_alone() -> None:
    embedder = ScriptedEmbedder()
    first, second = (np.frombuffer(each, np.float32) for each in await embedder.embed(["a", "b"]))
    assert first.shape == (embedder.dimensions,)
    assert float(first @ first) == pytest.approx(1.0)
    assert embedder.rows(["b"])[0] == pytest.approx(second)
    assert float(first @ second) < 0.99


def test_growth_is_the_exponent() -> None:
    assert growth({10: 1.0, 100: 10.0, 1000: 100.0}) == pytest.approx(1.0)
    assert growth({10: 5.0, 1000: 5.0}) == pytest.approx(0.0)


def test_a_spread_is_in_milliseconds_and_divides_by_its_median() -> None:
    seen = spread([0.001, 0.002, 0.003])
    assert (seen.p50, seen.min) == (2.0, 1.0)
    assert seen / spread([0.001]) == 2.0


def test_a_table_is_written_in_markdown() -> None:
    sheet = Sheet("Title", ["", "x"], [["a", 0.5], ["b", 12_345]])
    assert markdown(sheet).splitlines()[2:] == [
        "|  | x |",
        "|---|--:|",
        "| a | 0.500 |",
        "| b | 12,345 |",
    ]


def test_the_newest_result_is_found(tmp_path: Path) -> None:
    assert latest("recall", tmp_path) is None
    run = describe("recall", {"tiny": {}}, [at_most("x", 1, 2)], {"model": "m"})
    file = keep(run, tmp_path)
    file.with_name("recall-2000-01-01T0000Z.json").write_text("{}", encoding="utf-8")
    assert latest("recall", tmp_path) == run


def test_the_page_of_benchmarks_is_made_from_the_newest_results() -> None:
    assert report.PAGE.read_text(encoding="utf-8") == report.page(), "run `make docs`"


def last_line(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_the_recall_benchmark_ends_in_one_line_of_json(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    recall.main([str(data), "--cache", str(tmp_path), "--results", str(results)])
    found = last_line(capsys)
    assert found["benchmark"] == "recall"
    tiny = found["tiny"]
    assert isinstance(tiny, dict)
    assert set(tiny) == {"memweaver", "cosine", "bm25", "rrf"}
    assert tiny["memweaver"]["recall@10"] == 1.0
    assert tiny["memweaver"]["adversarial_recall@10"] == 1.0
    assert latest("recall", results) is not None
    assert "## Recall" in report.page(results)


def test_the_speed_benchmark_ends_in_one_line_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    speed.main(["--quick", "--cache", str(tmp_path), "--results", str(results)])
    found = last_line(capsys)
    assert found["benchmark"] == "speed"
    assert found.keys() > {"writes", "recall", "whole", "opening", "users", "growth_exponent"}
    assert "## Speed" in report.page(results)


@pytest.mark.parametrize("arguments", [[], ["nowhere.json"]])
def test_recall_without_data_says_what_is_missing(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        recall.main(arguments)
    assert "data" in capsys.readouterr().err or "nowhere.json" in capsys.readouterr().err


async def test_chats_are_measured_with_memory_and_without(tmp_path: Path) -> None:
    [found] = await proxied.measure(tmp_path, 12, 1, [proxied.Upstream(0, 2)])
    assert (found.memories, found.turns) == (12, proxied.RATE)
    assert min(found.first_token_p50, found.without_memory_p50, found.bare_embedder_p50) > 0
    assert found.turns_per_second > found.sustained_per_second > 0
    assert found.following_ms > 0
    run = describe("proxy", {"prompt": asdict(found)}, proxy.figures_of({"prompt": found}), {})
    assert "left for afterwards" in report.section(run)


def test_what_memory_costs_a_chat_is_worked_out_from_what_was_seen() -> None:
    seen = proxied.Seen(
        on=[0.030] * 4,
        off=[0.010] * 4,
        bare=[0.010] * 4,
        crowd_on=[proxied.Crowd(50, 1.0, 1.5)],
        crowd_off=[proxied.Crowd(100, 1.0, 0.0)],
    )
    found = proxied.summed_up(1000, seen)
    assert found.growth_p50_over_bare_embedder == found.growth_p95_over_bare_embedder == 2.0
    assert (found.turns_over_without_memory, found.following_ms) == (0.5, 30)
    assert found.sustained_per_second == 20
    assert [figure.kept for figure in proxy.figures_of({"prompt": found})] == [True] * 3


@pytest.mark.parametrize("embedded", [0.999, 1])
@pytest.mark.parametrize("running", [0, 1])
def test_turns_are_through_when_nothing_waits(embedded: float, running: int) -> None:
    told = {"queue": {"waiting": 0, "running": running}, "embedding": {"embedded": embedded}}
    assert proxied.through(told) is (embedded == 1 and not running)
