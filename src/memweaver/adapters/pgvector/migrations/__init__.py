"""The steps of this index's schema, forth and back."""
