"""A model of a few words whose vectors can be worked out by hand, written as ONNX by hand."""

from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

WORDS = {"[PAD]": 0, "[UNK]": 1, "sun": 2, "moon": 3, "star": 4}
TABLE = np.array([[9, 9, 9], [0, 0, 1], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype="<f4")
"""The vector of each word; that of the padding would show."""

INT64, FLOAT = 7, 1


def write_tiny_model(folder: Path, *, pooled: bool = False, third: str | None = None) -> Path:
    """A folder with a model that looks words up, `pooled` over them or not, of unusual inputs."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(model(pooled=pooled, third=third))
    return folder


def model(*, pooled: bool, third: str | None) -> bytes:
    looked_up = node("Gather", ["table", "input_ids"], "looked_up")
    last = node("ReduceMax" if pooled else "Identity", ["looked_up"], "result", pooled=pooled)
    names = ["input_ids", "attention_mask", *([third] if third else [])]
    graph = b"".join(
        [
            field(1, looked_up),
            field(1, last),
            field(2, b"tiny"),
            field(5, table()),
            *(field(11, value(name, INT64, rank=2)) for name in names),
            field(12, value("result", FLOAT, rank=2 if pooled else 3)),
        ]
    )
    return number(1, 8) + field(8, field(1, b"") + number(2, 13)) + field(7, graph)


def node(kind: str, inputs: list[str], output: str, *, pooled: bool = False) -> bytes:
    named = b"".join(field(1, name.encode()) for name in inputs)
    over_words = field(5, field(1, b"axes") + number(8, 1) + number(20, 7))
    one_each = field(5, field(1, b"keepdims") + number(3, 0) + number(20, 2))
    attributes = over_words + one_each if pooled else b""
    return named + field(2, output.encode()) + field(4, kind.encode()) + attributes


def table() -> bytes:
    sizes = b"".join(number(1, size) for size in TABLE.shape)
    return sizes + number(2, FLOAT) + field(8, b"table") + field(9, TABLE.tobytes())


def value(name: str, kind: int, *, rank: int) -> bytes:
    shape = b"".join(field(1, field(2, f"{name}{axis}".encode())) for axis in range(rank))
    return field(1, name.encode()) + field(2, field(1, number(1, kind) + field(2, shape)))


def field(tag: int, content: bytes) -> bytes:
    """A field of a protocol buffer that has a length."""
    return varint(tag << 3 | 2) + varint(len(content)) + content


def number(tag: int, content: int) -> bytes:
    """A field of a protocol buffer that is a number."""
    return varint(tag << 3) + varint(content)


def varint(rest: int) -> bytes:
    return bytes([rest]) if rest < 128 else bytes([rest % 128 + 128]) + varint(rest // 128)
