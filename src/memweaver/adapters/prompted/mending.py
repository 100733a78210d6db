"""Mends JSON as models misspell it, leaving alone what stands in strings."""

import json
import re

FAULTS = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+(?:"|\\?\Z))'
    r"|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"
    r"|(?<![\d.])(?P<number>-?\d++(?:\.\d++)?+)\s*+\([^()\"\n]*+\)"
    r"|(?P<comma>,)(?=\s*+[\]}])"
    r"|\b(?P<word>True|False|None)\b",
    re.DOTALL,
)
"""A comment, a number with a remark in brackets, a comma after the last, a word of Python's.

No text makes it look twice at the same place for long: what is opened and never closed is taken
to the end.
"""
WORDS = {"True": "true", "False": "false", "None": "null"}


def parsed(text: str) -> object:
    """The JSON in `text`, mended if it must be. Raises `ValueError`."""
    try:
        return loaded(text)
    except ValueError:
        return loaded(FAULTS.sub(right, text))


def loaded(text: str) -> object:
    """Raises `ValueError`, also for nesting and numbers that are too much."""
    try:
        # Models break lines in strings, which JSON does not allow.
        return json.loads(text, strict=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def right(fault: re.Match[str]) -> str:
    if fault["word"]:
        return WORDS[fault["word"]]
    return fault["string"] or fault["number"] or ""
