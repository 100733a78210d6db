"""REST: the resources under /v1, /health and /metrics."""

from memweaver.interfaces.rest.errors import exception_handlers as exception_handlers
from memweaver.interfaces.rest.errors import internal_error as internal_error
from memweaver.interfaces.rest.errors import shown as shown
from memweaver.interfaces.rest.routes import FAILURES as FAILURES
from memweaver.interfaces.rest.routes import router as router
from memweaver.interfaces.rest.routes import watching as watching
