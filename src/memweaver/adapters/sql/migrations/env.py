"""Runs the steps on the connection that `migrate.py` holds; it also commits them."""

from alembic import context

from memweaver.adapters.sql.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=False,
)
context.run_migrations()
