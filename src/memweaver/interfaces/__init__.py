"""The ways in, each with its wire shapes and one table of errors."""
