"""The verbs. Each module is one story, told from top to bottom."""
