"""Embeddings as vectors of pgvector, with an index over them."""

from alembic import op

revision = "0002"
down_revision = "0001"

MOST_INDEXED = 2000
"""Numbers of the longest vector that pgvector can index."""


def upgrade() -> None:
    """Convert the embeddings; whoever has one that does not fit is read anew from the store."""
    dimensions = vector_length()
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    op.execute(
        f"""
        ALTER TABLE memory_associative
        ALTER COLUMN embedding TYPE vector({dimensions}) USING
        CASE WHEN jsonb_typeof(embedding) = 'array' AND jsonb_array_length(embedding) = {dimensions}
        THEN embedding::text::vector({dimensions}) END
        """
    )
    op.execute(
        """
        DELETE FROM memory_associative_users WHERE owner IN
        (SELECT owner FROM memory_associative WHERE embedded_by IS NOT NULL AND embedding IS NULL)
        """
    )
    if dimensions <= MOST_INDEXED:
        op.execute(
            """
            CREATE INDEX memory_associative_embedding_idx ON memory_associative
            USING ivfflat (embedding vector_cosine_ops) WITH (lists = 100)
            """
        )


def vector_length() -> int:
    """The length of the vectors that the configured embedder makes."""
    config = op.get_context().config
    assert config is not None  # noqa: S101 - steps are only run by `migrate.py`, which has one
    return int(config.attributes["dimensions"])


def downgrade() -> None:
    op.execute("DROP INDEX IF EXISTS memory_associative_embedding_idx")
    op.execute(
        """
        ALTER TABLE memory_associative
        ALTER COLUMN embedding TYPE jsonb USING embedding::text::jsonb
        """
    )
