"""From texts to the numbers of their words."""

import pytest

from memweaver.adapters.shard.stopwords import STOP_WORDS
from memweaver.adapters.shard.words import Words
from memweaver.errors import ConfigurationError


def content(language: str, text: str) -> list[int]:
    return Words(language).split(text)[0]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("english", "Running dogs", "dog runs"),
        ("english", "What did she say about the DOGS?", "say dog"),
        ("german", "Wo sind die Häuser?", "Haus"),
        ("spanish", "¿Dónde están los perros?", "perro"),
        ("russian", "собаки", "собака"),
    ],
)
def test_words_of_one_stem_are_one(language: str, one: str, other: str) -> None:
    assert set(content(language, one)) == set(content(language, other))


def test_every_word_counts_in_phrases_and_stop_words_only_there() -> None:
    said, every = Words("english").split("Where is the dog of the neighbour?")
    assert len(said) == 2
    assert len(every) == 7


def test_signs_and_underscores_part_words() -> None:
    assert len(content("english", "snake_case-word, well\u2019known")) == 5


def test_scripts_without_spaces_are_read_by_character() -> None:
    assert content("english", "我住在奥斯陆")[3:] == content("english", "奥斯陆")


def test_a_number_is_the_same_in_every_process() -> None:
    assert content("english", "Oslo") == [8079082606332175587]


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match=r"unknown language `klingon`.*english.*german"):
        Words("klingon")


def test_every_language_with_stop_words_can_be_stemmed() -> None:
    for language, stop_words in STOP_WORDS.items():
        assert content(language, " ".join(stop_words)) == []


def test_many_words_are_read_alike_though_few_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("memweaver.adapters.shard.words.MOST_KNOWN", 2)
    words = Words("english")
    text = "one two three four five"
    assert words.split(text) == words.split(text) == Words("english").split(text)
