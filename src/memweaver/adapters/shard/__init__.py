"""The exact index: one user's records in memory, scored whole by the recipe of recall."""

from memweaver.adapters.shard.index import ShardIndex

__all__ = ["ShardIndex"]
