"""The recipe: every number has its meaning, and says so."""

import ast
import inspect
from dataclasses import fields
from itertools import pairwise

from memweaver.domain import ranking
from memweaver.domain.ranking import RECIPE, Weights

SHAPES = {"words_k1", "words_b", "passage_k1", "passage_b", "phrase_k1", "phrase_b"}
"""The constants of BM25, and what belongs to the weight above them."""
BELONGS = SHAPES | {"passage_words", "length_full", "spread_steps"}


def documented(source: str, name: str) -> set[str]:
    """The fields of a class that are followed by a sentence about them."""
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    [body] = [node.body for node in classes if node.name == name]
    return {
        field.target.id
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


def test_every_weight_says_why() -> None:
    names = {field.name for field in fields(Weights)}
    assert documented(inspect.getsource(ranking), "Weights") == names - BELONGS


def test_a_weight_that_says_nothing_is_noticed() -> None:
    source = 'class Weights:\n    a: float = 1\n    """Why."""\n    b: float = 2\n'
    assert documented(source, "Weights") == {"a"}


def test_no_weight_takes_away() -> None:
    assert all(getattr(RECIPE, field.name) > 0 for field in fields(Weights))
