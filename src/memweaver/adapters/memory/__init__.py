"""Adapters that keep everything in the process: for tests and for trying things out."""
