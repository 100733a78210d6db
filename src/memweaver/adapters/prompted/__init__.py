"""Extraction, decisions and summaries by any chat model, told by prompts of our own."""

from memweaver.adapters.prompted.asking import Asking
from memweaver.adapters.prompted.decider import PromptedDecider
from memweaver.adapters.prompted.extractor import PromptedExtractor
from memweaver.adapters.prompted.summariser import PromptedSummariser

__all__ = ["Asking", "PromptedDecider", "PromptedExtractor", "PromptedSummariser"]
