"""Runs the steps on the connection that `migrate.py` holds; it also commits them."""

from alembic import context

from memweaver.adapters.pgvector.migrate import VERSION_TABLE
from memweaver.adapters.pgvector.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transaction_per_migration=False,
)
context.run_migrations()
