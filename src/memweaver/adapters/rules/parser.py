"""The parser of a language, loaded when the first text comes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING

from memweaver.adapters.rules.language import Language
from memweaver.errors import ConfigurationError

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.language import Language as Pipeline
    from spacy.tokens import Doc

KEPT = 64
"""Parses kept: each aspect looks at the same turns, and each turn at those before it."""


class Parser:
    """Not to be used from the event loop. One caller at a time: spaCy shares state."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._lock = Lock()
        self._loaded: Pipeline | None = None
        self._kept: OrderedDict[str, Doc] = OrderedDict()

    def parsed(self, texts: Sequence[str]) -> list[Doc]:
        """Each text with its spelling repaired, parsed."""
        with self._lock:
            return [self._parsed(self._language.repaired(text)) for text in texts]

    def _parsed(self, text: str) -> Doc:
        if self._loaded is None:
            self._loaded = loaded(self._language)
        doc = self._kept.pop(text, None) or self._loaded(text)
        self._kept[text] = doc
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return doc


def loaded(language: Language) -> Pipeline:
    if language.parser is None:
        raise ConfigurationError(f"there is no parser for {language.name}")
    try:
        pipeline: Pipeline = import_module(language.parser).load()
    except ImportError as error:
        raise ConfigurationError(
            f"the rules for {language.name} need the package `{language.parser}`; install it"
        ) from error
    return pipeline
