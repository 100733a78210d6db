"""The ports made real, one technology per folder."""
