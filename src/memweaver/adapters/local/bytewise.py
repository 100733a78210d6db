"""Lets the packaged model multiply the bytes that its weights are kept as.

onnxruntime would unpack them into floats while loading, and take twice the time for every product.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, numpy_helper
from onnx.helper import make_graph, make_model, make_node, make_opsetid
from onnx.helper import make_tensor_value_info as value
from onnxruntime import InferenceSession, SessionOptions

OURS = "bytewise"
"""Before the names of what is added, so that none is there already."""
FARTHEST = 127
"""Steps from nought to the number of a row that is farthest from it."""
NOUGHT, MOST = 128, 255
STEP, ONE, MIDDLE = (f"{OURS}.{name}" for name in ("step", "one", "middle"))
CONSTANTS = {
    STEP: np.float32(1 / FARTHEST),
    ONE: np.float32(1),
    MIDDLE: np.uint8(NOUGHT),
}
THEIRS = "com.microsoft"
"""Operators that onnxruntime has beyond the standard."""


class Weights(NamedTuple):
    """The names of signed bytes, and of the scale of each of their columns."""

    bytes: str
    scales: str


def in_bytes(file: Path) -> bytes:
    """The model in `file` with products of bytes wherever it has weights kept as bytes.

    The other side of such a product is rounded row by row, each to steps of its own: what becomes
    of a text does not depend on the texts that are computed with it.
    """
    model = onnx.load(file)
    unpacked = dict(weights_of(model.graph))
    nodes = list(rewritten(model.graph, unpacked))
    scales = {weights.scales for weights in unpacked.values()}
    for kept in model.graph.initializer:
        if kept.name in scales:
            kept.dims[:] = [int(np.prod(kept.dims))]
    model.graph.initializer.extend(
        numpy_helper.from_array(np.asarray(constant), name) for name, constant in CONSTANTS.items()
    )
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import.append(make_opsetid(THEIRS, 1))
    made: bytes = model.SerializeToString()
    return made


def weights_of(graph: GraphProto) -> Iterator[tuple[str, Weights]]:
    """What is unpacked from bytes only to be multiplied with, by the name it has then."""
    kept = {one.name: one for one in graph.initializer}
    made = {node.output[0]: node for node in graph.node}
    for node in graph.node:
        if node.op_type != "MatMul" or (scaled := made.get(node.input[1])) is None:
            continue
        packed = made.get(scaled.input[0]) if scaled.op_type == "Mul" else None
        if packed is not None and packed.op_type == "Cast":
            weights = kept.get(packed.input[0])
            if weights is not None and weights.data_type == TensorProto.INT8:
                yield node.input[1], Weights(packed.input[0], scaled.input[1])


def rewritten(graph: GraphProto, unpacked: Mapping[str, Weights]) -> Iterator[NodeProto]:
    packed = {weights.bytes for weights in unpacked.values()}
    rounded = set[str]()
    for node in graph.node:
        if node.output[0] in unpacked or (node.op_type == "Cast" and node.input[0] in packed):
            continue
        if node.op_type != "MatMul" or node.input[1] not in unpacked:
            yield node
            continue
        rows = node.input[0]
        if rows not in rounded:
            yield from rounding(rows)
            rounded.add(rows)
        yield from product(rows, unpacked[node.input[1]], node.output[0])


def rounding(rows: str) -> Iterator[NodeProto]:
    """To steps of the size that takes each row's farthest number to `FARTHEST`."""
    far, farthest, steps = (f"{OURS}.{rows}.{name}" for name in ("far", "farthest", "steps"))
    yield make_node("Abs", [rows], [far])
    yield make_node("ReduceMax", [far], [farthest], axes=[-1])
    yield make_node("Mul", [farthest, STEP], [step_of(rows)])
    yield make_node("Div", [rows, step_of(rows)], [steps])
    yield make_node("QuantizeLinear", [steps, ONE, MIDDLE], [bytes_of(rows)])


def product(rows: str, weights: Weights, result: str) -> Iterator[NodeProto]:
    stepped = f"{OURS}.{result}.stepped"
    given = [bytes_of(rows), weights.bytes, ONE, weights.scales, MIDDLE]
    yield make_node("MatMulIntegerToFloat", given, [stepped], domain=THEIRS)
    yield make_node("Mul", [stepped, step_of(rows)], [result])


def step_of(rows: str) -> str:
    return f"{OURS}.{rows}.step"


def bytes_of(rows: str) -> str:
    return f"{OURS}.{rows}.bytes"


def exact(options: SessionOptions) -> bool:
    """Whether this processor adds up products of bytes as they are.

    Some older ones do so in sixteen bits, and cut off what is more.
    """
    rows, columns = np.full((4, 64), MOST, np.uint8), np.full((64, 16), FARTHEST, np.int8)
    session = InferenceSession(
        probe(rows, columns).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    [found] = session.run(None, {"rows": rows})
    return bool((found == len(columns) * MOST * FARTHEST).all())


def probe(rows: NDArray[np.uint8], columns: NDArray[np.int8]) -> ModelProto:
    graph = make_graph(
        [make_node("MatMulInteger", ["rows", "columns"], ["found"])],
        OURS,
        [value("rows", TensorProto.UINT8, rows.shape)],
        [value("found", TensorProto.INT32, [len(rows), columns.shape[1]])],
        [numpy_helper.from_array(columns, "columns")],
    )
    return make_model(graph, opset_imports=[make_opsetid("", 17)], ir_version=8)
