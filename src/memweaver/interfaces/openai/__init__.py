"""The OpenAI-compatible proxy: chats with memory, models and embeddings passed through."""

from memweaver.interfaces.openai.routes import router as router
