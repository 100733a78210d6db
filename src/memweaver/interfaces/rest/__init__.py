"""REST: the resources under /v1, /health and /metrics."""
