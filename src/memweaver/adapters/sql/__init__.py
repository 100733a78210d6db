"""The one SQL adapter: every port that stores, over SQLite or Postgres."""

from memweaver.adapters.sql.opening import open_sql, sqlite_url

__all__ = ["open_sql", "sqlite_url"]
