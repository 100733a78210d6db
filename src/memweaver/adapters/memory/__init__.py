"""Adapters that keep everything in the process: for tests and for trying things out."""

from memweaver.adapters.memory.backend import open_memory
from memweaver.adapters.memory.keys import MemoryMasterKeys

__all__ = ["MemoryMasterKeys", "open_memory"]
