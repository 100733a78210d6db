"""REST: the resources under /v1, and /health."""

from memweaver.interfaces.rest.errors import exception_handlers as exception_handlers
from memweaver.interfaces.rest.errors import internal_error as internal_error
from memweaver.interfaces.rest.routes import router as router
