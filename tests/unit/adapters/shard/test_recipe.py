"""Each term of the recipe: what it does, and to whom it does not."""

from datetime import timedelta

import numpy as np
import pytest
from tests.unit.adapters.shard.house import (
    ANN,
    MODEL,
    NOON,
    READER,
    WORDS,
    delta,
    hits,
    memory,
    message,
    turn,
    turn_vectors,
    vector,
)

from memweaver.adapters.shard.following import Following
from memweaver.adapters.shard.searching import OpenShard
from memweaver.adapters.shard.segment import Maker
from memweaver.domain.conversation import Role, Turn
from memweaver.domain.memory import Memory
from memweaver.domain.search import EVERYTHING, Filter, Kind, Ref
from memweaver.ports.changes import Vectors


def opened(
    *turns: Turn, memories: tuple[Memory, ...] = (), made: tuple[Vectors, ...] = ()
) -> OpenShard:
    shard = Following("epoch", READER, Maker(MODEL, "english"), MODEL)
    shard.apply(delta(turns, memories, made), 1)
    return OpenShard(shard.snapshot, ANN, WORDS)


def shares(shard: OpenShard, text: str, term: str, made: bytes | None = None) -> dict[str, float]:
    return {hit.ref.id: hit.explanation.get(term, -1) for hit in hits(shard, text, made)}


def test_neighbours_in_a_session_lend_meaning_though_sessions_interleave() -> None:
    near, far = vector(1, 0), vector(0, 1)
    shard = opened(
        turn("a1", message("Look at the garden"), session="a"),
        turn("b1", message("Nothing at all"), session="b"),
        turn("a2", message("Wonderful"), session="a"),
        turn("b2", message("Indeed"), session="b"),
        made=tuple(turn_vectors(n, near if n == "a1" else far) for n in ("a1", "b1", "a2", "b2")),
    )
    meaning = shares(shard, "garden", "meaning", near)
    assert meaning["a1"] > meaning["a2"] > meaning["b1"] == meaning["b2"] == 0


def test_a_memory_that_stands_alone_is_worth_as_much_as_a_turn_among_its_kind() -> None:
    near = vector(1, 0)
    shard = opened(
        turn("t1", message("The boat is red")),
        turn("t2", message("The boat is red")),
        turn("t3", message("The boat is red")),
        memories=(memory("m", "The boat is red"),),
        made=(
            *(turn_vectors(name, near) for name in ("t1", "t2", "t3")),
            Vectors(Ref(Kind.MEMORY, "m"), MODEL, (near,)),
        ),
    )
    meaning = shares(shard, "boat", "meaning", near)
    assert list(meaning.values()) == pytest.approx([0, 0, 0, 0], abs=0.01)


def test_the_answer_to_a_question_is_lent_more() -> None:
    near, far = vector(1, 0), vector(0, 1)

    def lent(asked: str) -> float:
        names = ("t1", "t2", "t3")
        shard = opened(
            turn("t1", message(asked)),
            turn("t2", message("Blue, I think")),
            turn("t3", message("Oh"), session="other"),
            made=tuple(turn_vectors(n, near if n == "t1" else far) for n in names),
        )
        return shares(shard, "colour", "meaning", near)["t2"]

    assert lent("What colour is it?") > lent("It has a colour")


def test_a_long_message_borrows_less() -> None:
    near, far = vector(1, 0), vector(0, 1)
    long = " ".join(f"word{n}" for n in range(100))
    shard = opened(
        turn("t1", message("Look"), session="a"),
        turn("t2", message("Yes"), session="a"),
        turn("t3", message("Look"), session="b"),
        turn("t4", message(long), session="b"),
        made=tuple(
            turn_vectors(n, near if n in {"t1", "t3"} else far) for n in ("t1", "t2", "t3", "t4")
        ),
    )
    meaning = shares(shard, "look", "meaning", near)
    assert meaning["t2"] > 3 * meaning["t4"]


def test_a_record_without_a_vector_is_neither_near_nor_far() -> None:
    shard = opened(
        *(turn(n, message("Tea"), session=n) for n in ("near", "none", "far")),
        made=(turn_vectors("near", vector(1, 0)), turn_vectors("far", vector(0, 1))),
    )
    meaning = shares(shard, "Tea", "meaning", vector(1, 0))
    assert meaning["near"] > meaning["none"] > meaning["far"]


def test_words_of_the_passage_count_for_all_of_it() -> None:
    shard = opened(
        turn("t1", message("The turtles eat fruit"), session="a"),
        turn("t2", message("Three years now"), session="a"),
        turn("t3", message("Three years now"), session="b"),
    )
    passage = shares(shard, "How long has he had turtles?", "passage")
    assert passage["t1"] == passage["t2"] > passage["t3"] == 0


def test_a_passage_ends_where_it_has_enough_words() -> None:
    long = " ".join(f"word{n}" for n in range(140))
    shard = opened(turn("t1", message(f"turtles {long}")), turn("t2", message(f"more {long}")))
    passage = shares(shard, "turtles", "passage")
    assert passage["t1"] > passage["t2"] == 0


def test_phrases_are_words_side_by_side() -> None:
    shard = opened(turn("t1", message("I was in New York")), turn("t2", message("York is not new")))
    phrase = shares(shard, "new york", "phrase")
    assert phrase["t1"] > phrase["t2"] == 0


def test_coverage_asks_for_all_of_the_question_within_two_records() -> None:
    shard = opened(
        turn("t1", message("The red bicycle")),
        turn("t2", message("Hm")),
        turn("t3", message("was stolen")),
        turn("t4", message("Ah")),
        turn("t5", message("Oh")),
        turn("t6", message("Well")),
    )
    coverage = shares(shard, "red bicycle stolen", "coverage")
    assert coverage["t2"] == pytest.approx(coverage["t3"])
    assert coverage["t3"] > coverage["t5"] > coverage["t6"] == 0


def test_who_is_named_is_asked_about() -> None:
    shard = opened(
        turn("t1", message("I run", "Ann")), turn("t2", message("I run", "Bob"), session="b")
    )
    speaker = shares(shard, "Does Ann run?", "speaker")
    assert speaker["t1"] > speaker["t2"] == 0
    assert shares(shard, "Do Ann and Bob run?", "speaker")["t1"] == -1


def test_i_is_the_user_and_memories_are_about_the_user() -> None:
    shard = opened(
        turn("t1", message("I run"), message("You run", role=Role.ASSISTANT)),
        memories=(memory("m1", "Runs"),),
    )
    found = {
        (hit.ref.id, hit.ordinal): hit.explanation["speaker"] for hit in hits(shard, "Do I run?")
    }
    assert found["t1", 0] == found["m1", 0] > found["t1", 1] == 0


def test_i_is_nobody_where_several_people_are_the_user() -> None:
    shard = opened(turn("t1", message("I run", "Ann")), turn("t2", message("I run", "Bob")))
    assert shares(shard, "Do I run?", "speaker") == {"t1": -1, "t2": -1}


@pytest.mark.parametrize("text", ["What about 3 January?", "What about 2026-01-03?"])
def test_what_was_told_on_the_day_asked_for_or_soon_after_counts(text: str) -> None:
    days = {"before": 1, "that": 2, "next": 3, "week": 8, "later": 20, "long": 40}
    shard = opened(*(turn(name, message("Tea"), day=day) for name, day in days.items()))
    day = shares(shard, text, "day")
    assert day["before"] == day["long"] == 0
    assert day["that"] == day["next"] > day["week"] > day["later"] > 0


def test_the_days_of_a_month_count_alike_and_those_of_a_year_a_little() -> None:
    days = {"january": 0, "end": 30, "february": 33, "march": 70}
    shard = opened(*(turn(name, message("Tea"), day=day) for name, day in days.items()))
    month = shares(shard, "What about January 2026?", "day")
    assert month["january"] == month["end"] > month["february"] > month["march"] == 0
    year = shares(shard, "What about 2026?", "day")
    assert 0 < year["march"] < month["february"]
    assert shares(shard, "What about 2025?", "day")["march"] == 0


def test_the_days_a_record_speaks_of_count() -> None:
    texts = {
        "exact": "On 5 May",
        "near": "On 7 May",
        "vague": "In May",
        "year": "In 2026",
        "other": "On 5 June",
    }
    shard = opened(*(turn(name, message(text), session=name) for name, text in texts.items()))
    day = shares(shard, "What about 5 May 2026?", "mentioned_day")
    assert day["exact"] > day["vague"] > day["near"] > day["year"] == day["other"] == 0
    month = shares(shard, "What about May 2026?", "mentioned_day")
    assert month["exact"] == month["vague"] > month["other"] == 0
    year = shares(shard, "What about 2026?", "mentioned_day")
    assert year["exact"] == year["year"] > 0


def test_yesterday_is_the_day_before_it_was_said_and_before_now() -> None:
    shard = opened(
        turn("t1", message("I ran yesterday"), day=3), turn("t2", message("Tea"), day=60)
    )
    assert shares(shard, "What about 3 January?", "mentioned_day")["t1"] > 0
    day = {
        hit.ref.id: hit.explanation["day"]
        for hit in hits(shard, "What did I do yesterday?", now=NOON + timedelta(days=4))
    }
    assert day["t1"] > day["t2"] == 0


def test_the_kind_of_answer_counts_where_one_is_asked_for() -> None:
    shard = opened(turn("t1", message("I have two cats")), turn("t2", message("I have cats")))
    answer = shares(shard, "How many cats?", "answer")
    assert answer["t1"] > answer["t2"] == 0
    assert shares(shard, "What about cats?", "answer") == {"t1": -1, "t2": -1}


def test_who_asks_for_advice_is_reminded_of_preferences() -> None:
    shard = opened(turn("t1", message("I prefer trains")), turn("t2", message("I took a plane")))
    preference = shares(shard, "How should I travel?", "preference")
    assert preference["t1"] > preference["t2"] == 0


def test_the_course_of_things_is_told_by_the_best_of_each_session() -> None:
    shard = opened(
        *(turn(f"a{n}", message("The garden grows"), session="a") for n in range(7)),
        turn("b0", message("The garden, again"), session="b"),
        memories=(memory("m1", "Has a garden"), memory("m2", "Likes the garden")),
    )
    given = shares(shard, "Give me a summary of the garden", "spread")
    assert given["b0"] == given["m1"] == given["m2"] == max(given.values()) > 0
    in_one_session = sorted((given[f"a{n}"] for n in range(7)), reverse=True)
    assert in_one_session[0] == given["b0"]
    assert in_one_session[:6] == sorted(set(in_one_session), reverse=True)
    assert in_one_session[5:] == [0, 0]
    assert shares(shard, "What about the garden?", "spread")["b0"] == -1


def test_who_says_little_or_asks_back_counts_less() -> None:
    shard = opened(
        turn("t1", message("Hm")),
        turn("t2", message("And what do your old neighbours think about that?")),
        turn("t3", message("Cats, dogs, mice, owls, bees, ants, cows, pigs, rats, hens")),
    )
    length = shares(shard, "animals", "length")
    assert length["t3"] > length["t2"] > length["t1"] > 0
    statement = shares(shard, "animals", "statement")
    assert statement["t1"] == statement["t3"] > statement["t2"] == 0


def test_a_question_of_nothing_but_small_words_is_answered() -> None:
    shard = opened(turn("t1", message("Tea")), turn("t2", message("Coffee, if there is any")))
    assert {hit.ref.id for hit in hits(shard, "what is it")} == {"t1", "t2"}


def test_of_equally_good_records_the_latest_comes_first() -> None:
    shard = opened(*(turn(f"t{n}", message("Tea"), session=f"{n}", day=n) for n in range(9)))
    found = hits(shard, "Coffee?", limit=3)
    assert [hit.ref.id for hit in found] == ["t8", "t7", "t6"]


def test_a_vector_of_another_width_is_none() -> None:
    shard = opened(turn("t1", message("Tea")), made=(turn_vectors("t1", vector(1, 0)),))
    [hit] = hits(shard, "Tea", vector(1, 0, 0))
    assert hit.cosine is None
    assert "meaning" not in hit.explanation


def test_nothing_is_found_if_nothing_is_wanted() -> None:
    assert hits(opened(turn("t1", message("Tea"))), "Tea", limit=0) == []


@pytest.mark.parametrize("limit", [1, 3, 5])
def test_the_best_few_are_the_first_of_many_though_all_stand_in_one_passage(limit: int) -> None:
    chance = np.random.default_rng(3)
    birds = ("heron", "gull", "wren", "tern", "crane", "plover", "finch", "robin", "swift")
    others = [turn(f"o{n}", message(f"word{n}"), session=f"o{n}") for n in range(300)]
    told = [" ".join(chance.choice(birds, chance.integers(2, 9))) for _ in range(14)]
    mine = [turn(f"m{n}", message(text), session="mine", day=n) for n, text in enumerate(told)]
    made = [turn_vectors(one.id, vector(*chance.normal(size=16))) for one in mine]
    shard, asked = opened(*others, *mine, made=tuple(made)), " ".join(birds)
    for _ in range(20):
        near = vector(*chance.normal(size=16))
        few, many = (
            [hit.ref.id for hit in hits(shard, asked, near, where=Filter(session="mine"), limit=n)]
            for n in (limit, 100)
        )
        assert few == many[:limit]


def test_a_row_embedded_after_a_snapshot_was_searched_is_not_near_in_it() -> None:
    shard = Following("epoch", READER, Maker(MODEL, "english"), MODEL)
    both = [turn("a", message("one")), turn("b", message("two"))]
    shard.apply(delta(both, made=[turn_vectors("a", vector(1, 0))]), 1)
    held = OpenShard(shard.snapshot, ANN, WORDS)
    for _ in range(2):
        near = held.near(vector(1, 0), where=EVERYTHING, limit=9, own=False)
        assert [(hit.ref.id, hit.cosine) for hit in near] == [("a", 1.0)]
        shard.apply(delta(made=[turn_vectors("b", vector(0, 1))]), 2)
