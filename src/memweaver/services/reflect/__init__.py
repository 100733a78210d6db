"""Reflect: from a turn to memories, in the background, once in its effect."""

from memweaver.services.reflect.reflect import Outcome, Reflect

__all__ = ["Outcome", "Reflect"]
