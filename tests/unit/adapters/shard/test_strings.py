"""Strings in one piece."""

from hypothesis import given
from hypothesis import strategies as some

from memweaver.adapters.shard.strings import WORTH_A_BLOCK, StringChain, Strings

ANY_TEXT = some.text(some.characters(), max_size=5)


@given(some.lists(ANY_TEXT))
def test_strings_come_back_as_they_were(texts: list[str]) -> None:
    strings = Strings.of(texts)
    assert [strings[place] for place in range(len(strings))] == texts


def test_half_a_character_comes_back() -> None:
    assert Strings.of(["a\ud83d"])[0] == "a\ud83d"


@given(some.lists(some.sampled_from([0, 1, 7, WORTH_A_BLOCK - 1, WORTH_A_BLOCK, 400]), max_size=6))
def test_a_chain_is_as_long_as_its_links(sizes: list[int]) -> None:
    chain, texts = StringChain(), list[str]()
    for size in sizes:
        more = [f"{len(texts) + number}" for number in range(size)]
        chain = chain.extended(Strings.of(more))
        texts += more
    assert len(chain) == len(texts)
    assert [chain[place] for place in range(len(chain))] == texts
    taken = chain.taken(range(0, len(texts), 3))
    assert [taken[place] for place in range(len(taken))] == texts[::3]


def test_a_chain_handed_out_does_not_change() -> None:
    before = StringChain().extended(Strings.of(["a"]))
    before.extended(Strings.of(["b"]))
    assert len(before) == 1
