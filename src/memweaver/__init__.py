"""A long-term memory for AI assistants that belongs to the user."""
