"""A model on this machine's own processor, by onnxruntime."""

from memweaver.adapters.local import silence as silence
from memweaver.adapters.local.embedder import LocalEmbedder, open_local

__all__ = ["LocalEmbedder", "open_local"]
