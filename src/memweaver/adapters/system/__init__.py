"""What the operating system provides."""

from memweaver.adapters.system.clock import SystemClock

__all__ = ["SystemClock"]
