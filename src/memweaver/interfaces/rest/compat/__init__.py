"""The literal routes: other names and payloads for what /v1 does, each a thin module."""
