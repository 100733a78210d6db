"""No product of matrices by NumPy while somebody is served: its library takes threads for one.

OpenBLAS lets them wait spinning, for milliseconds after a product of microseconds, and whoever
multiplies waits for them to be given a processor. On a busy machine of two cores a recall among
2 000 rows took ten times as long and eight times the processor.
"""

import ast

import pytest
from tests.architecture.project import files

THREADED = {"dot", "matmul", "vdot", "tensordot"}
OURS = [file for file in files("src/memweaver") if "/testing/" not in file[0]]


def products(code: str) -> list[str]:
    """Whatever is multiplied by the library."""
    return [ast.unparse(node) for node in ast.walk(ast.parse(code)) if is_product(node)]


def is_product(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
            return True
        case ast.Attribute(attr=name):
            return name in THREADED
        case _:
            return False


@pytest.mark.parametrize(("name", "code"), OURS, ids=[name for name, _ in OURS])
def test_nothing_is_multiplied_by_threads(name: str, code: str) -> None:
    assert products(code) == [], f"{name}: use np.einsum"


@pytest.mark.parametrize("code", ["a @ b", "a @= b", "np.dot(a, b)", "a.dot(b)"])
def test_a_product_is_noticed(code: str) -> None:
    assert len(products(code)) == 1
