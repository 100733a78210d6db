"""Products of bytes: nearly the same vectors in any company, and floats where they must be."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from memweaver.adapters.local import bytewise
from memweaver.adapters.local.files import packaged_model
from memweaver.adapters.local.model import Model, one_thread

TEXTS = (
    "Where did we go last summer?",
    "I moved to Oslo in 2021, and my sister came along with both of her dogs.",
    "peanuts",
    "The invoice of March is still unpaid. " * 12,
    "¿Dónde está la biblioteca? 図書館はどこですか",
)

SHORT = ("yes", "ok", "same", "not", ".", "")
"""Of one token: here nothing evens out what is rounded."""


@pytest.fixture(scope="module")
def quick() -> Model:
    return Model(packaged_model())


@pytest.fixture(scope="module")
def slow() -> Model:
    return Model(replace(packaged_model(), bytewise=False))


def vectors(model: Model, texts: Sequence[str]) -> NDArray[np.float32]:
    made = model.vectors([model.tokens(text) for text in texts])
    return np.array([np.frombuffer(vector, "<f4") for vector in made])


def test_the_vectors_are_nearly_those_of_floats(quick: Model, slow: Model) -> None:
    alike = [float((vectors(quick, [text]) @ vectors(slow, [text]).T).item()) for text in TEXTS]
    assert min(alike) > 0.99
    short = [float((vectors(quick, [text]) @ vectors(slow, [text]).T).item()) for text in SHORT]
    assert min(short) > 0.98


def test_a_text_has_the_same_vector_in_any_company(quick: Model) -> None:
    alone = np.concatenate([vectors(quick, [text]) for text in TEXTS])
    assert np.allclose(vectors(quick, TEXTS), alone, atol=1e-4)


def test_all_weights_that_are_multiplied_with_stay_bytes() -> None:
    """The words' own vectors are looked up, not multiplied with: they are unpacked as before."""
    before = onnx.load(packaged_model().model)
    after = onnx.load_from_string(bytewise.in_bytes(packaged_model().model))
    kinds, changed = (Counter(node.op_type for node in one.graph.node) for one in (before, after))
    products = 6 * len(("query", "key", "value", "output", "up", "down"))
    assert changed["MatMulIntegerToFloat"] == products
    assert changed["QuantizeLinear"] == products - 6 * len(("key", "value"))
    assert kinds["MatMul"] - changed["MatMul"] == products
    assert kinds["Cast"] - changed["Cast"] == products


@pytest.mark.parametrize("found", [255 * 127 * 64, 32_767 * 32])
def test_a_processor_that_cuts_sums_off_is_found_out(
    found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Processor:
        def __init__(self, model: bytes, _: object, providers: Sequence[str]) -> None:
            onnx.checker.check_model(model)

        def run(self, _names: None, _given: object) -> list[NDArray[np.int32]]:
            return [np.full((4, 16), found, np.int32)]

    monkeypatch.setattr(bytewise, "InferenceSession", Processor)
    assert bytewise.exact(one_thread()) is (found == 255 * 127 * 64)


def test_where_sums_are_cut_off_floats_are_multiplied(
    slow: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytewise, "exact", lambda _: False)
    assert (vectors(Model(packaged_model()), TEXTS) == vectors(slow, TEXTS)).all()


@pytest.mark.parametrize("packaged", [True, False])
def test_only_the_packaged_model_is_rewritten(
    packaged: bool,  # noqa: FBT001 - given by its name
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files, rewritten = replace(packaged_model(), bytewise=packaged), list[object]()

    def in_bytes(file: Path) -> bytes:
        rewritten.append(file)
        return file.read_bytes()

    monkeypatch.setattr(bytewise, "exact", lambda _: True)
    monkeypatch.setattr(bytewise, "in_bytes", in_bytes)
    Model(files)
    assert rewritten == [files.model] * packaged
