"""The local model itself: from texts to tokens, from tokens to unit vectors."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors
from tokenizers import Tokenizer

from memweaver.adapters.local.files import ModelFiles
from memweaver.domain.memory import Vector
from memweaver.errors import ConfigurationError, ModelOutputInvalid, ModelUnavailable

LONGEST_TEXT = 8000
"""Characters read of a text: more than the tokens below ever cover, so that no text is slow."""

LONGEST = 256
"""Tokens read of a text: what the model was trained for."""

SLOWER = ["SkipLayerNormFusion"]
"""Rewritings of onnxruntime that are none: what they make takes four times as long as its parts."""

INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})

Tokens = Sequence[int]

NOTHING: Tokens = (0,)
"""What a text without a token is read as."""

FAILURES: tuple[type[Exception], ...] = (
    MemoryError,
    *(
        kind
        for kind in vars(onnx_errors).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ),
)
"""What computing may raise; onnxruntime's exceptions have no base of their own."""


class Model:
    """Loaded when made. Safe in several threads, each of which it uses alone."""

    def __init__(self, files: ModelFiles) -> None:
        with loading(files):
            self._tokenizer: Tokenizer = Tokenizer.from_file(str(files.tokenizer))
            self._session = InferenceSession(
                source_of(files),
                one_thread(),
                providers=["CPUExecutionProvider"],
                disabled_optimizers=SLOWER,
            )
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        self._inputs = {given.name for given in self._session.get_inputs()}
        if not self._inputs <= INPUTS:
            raise ConfigurationError(
                f"{files.model} wants {', '.join(sorted(self._inputs - INPUTS))}, "
                "which a model of sentences does not"
            )

    @property
    def dimensions(self) -> int:
        vector = self.vectors([self.tokens("")])[0]
        return len(np.frombuffer(vector, "<f4"))

    def tokens(self, text: str) -> Tokens:
        readable = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
        ids: list[int] = self._tokenizer.encode(readable).ids
        return ids or NOTHING

    def vectors(self, batch: Sequence[Tokens]) -> list[Vector]:
        """One unit vector for each text; the shorter ones are padded to the longest."""
        ids, mask = padded(batch)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        with running():
            states = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        means = states if already_pooled(states) else mean_of_tokens(states, mask)
        units = means / np.linalg.norm(means, axis=1, keepdims=True)
        if not np.isfinite(units).all():
            raise ModelOutputInvalid("the local model made vectors that are no numbers")
        return [unit.tobytes() for unit in units.astype("<f4")]


def source_of(files: ModelFiles) -> str | bytes:
    """The file, or what is made of it to be quicker where the processor can do that."""
    if not files.bytewise:
        return str(files.model)
    from memweaver.adapters.local import bytewise  # noqa: PLC0415 - slow, and no start waits for it

    return bytewise.in_bytes(files.model) if bytewise.exact(one_thread()) else str(files.model)


def one_thread() -> SessionOptions:
    """More threads that wait by spinning take the processor from the rest of the program."""
    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return options


def padded(batch: Sequence[Tokens]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    shape = (len(batch), max(map(len, batch)))
    ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, tokens in enumerate(batch):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask


def already_pooled(states: NDArray[np.float32]) -> bool:
    """Whether the model gives one vector for each text, not one for each token."""
    return states.ndim == len(("text", "dimension"))


def mean_of_tokens(states: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.floating]:
    weights = mask[:, :, None].astype(np.float32)
    mean: NDArray[np.floating] = (states * weights).sum(axis=1) / weights.sum(axis=1)
    return mean


def batches(lengths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The places of the texts, shortest first, in batches of at most `room` tokens, or of one."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[place] * (len(batch) + 1) > room:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


@contextmanager
def loading(files: ModelFiles) -> Generator[None]:
    """Turn what the libraries raise about files into ours; `tokenizers` raises bare `Exception`."""
    try:
        yield
    except Exception as error:
        raise ConfigurationError(
            f"{files.model.parent} holds no model that can be loaded: {error}"
        ) from error


@contextmanager
def running() -> Generator[None]:
    """Turn what onnxruntime raises while computing into ours."""
    try:
        yield
    except FAILURES as error:
        raise ModelUnavailable(f"the local model could not compute: {error}") from error
