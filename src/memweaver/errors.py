"""Every exception this package raises.

MemweaverError                  code, retryable: class attributes, no HTTP anywhere
├── InvalidInput                asked for what cannot be
│   ├── TooLarge                ... because it is over a limit, which the message names
│   ├── InvalidFilter           ... because a filter, tier or field is not known
│   └── UnknownPredicate        ... because a relation cannot say that
├── NotFound                    not in this scope (also another's: say no more)
├── Conflict                    changed, or exists already
│   ├── ClaimLost               ... because another worker has the job now
│   └── Unfinished              ... because the same request is being answered just now
├── Denied                      the credential does not allow it
│   ├── Unauthenticated         there is no valid credential
│   └── Forbidden               the credential is valid, but not for this
├── RateLimited                 asked too often, or for too much: later it will do
├── Unsupported                 this backend declares it cannot
├── Unreadable                  sealed under a key that is gone, or altered since
├── BackendError                a store, queue or bus failed (the driver's error in __cause__)
│   ├── BackendUnavailable      ... and may well succeed if tried again
│   │   └── QueueUnavailable    ... but only the queue: a turn can be kept if it leaves no job
│   ├── StorageFull             ... because there is no room left
│   └── SchemaMismatch          ... because the schema is not this program's
├── ReceiverError               a webhook's receiver did not take what it was told
├── NoUpstream                  no chat model is configured to pass requests on to
├── ModelError                  a language or embedding model failed
│   ├── ModelUnavailable        ... and may well succeed if tried again
│   │   └── ModelBusy           ... because it has too much to do
│   ├── ModelRefused            it was reached and will not do it
│   └── ModelOutputInvalid      it answered, but not in the shape asked for
└── ConfigurationError          said before anything is opened

Nothing here knows of HTTP, JSON-RPC or exit codes: each interface owns one table that says how it
shows these to its callers.
"""

from traceback import extract_tb
from typing import ClassVar


class MemweaverError(Exception):
    """Base of everything raised on purpose."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False


class InvalidInput(MemweaverError):
    """The request is wrong and will stay wrong."""

    code = "invalid_input"


class TooLarge(InvalidInput):
    """The request is over a limit, which the message names."""

    code = "too_large"


class InvalidFilter(InvalidInput):
    """A filter, tier or field that is not known."""

    code = "invalid_filter"


class UnknownPredicate(InvalidInput):
    """A relation says what no relation told by hand can say; the message names what it can."""

    code = "unknown_predicate"


class NotFound(MemweaverError):
    """Nothing of that name exists in this scope."""

    code = "not_found"


class Conflict(MemweaverError):
    """The stored state contradicts the request."""

    code = "conflict"


class ClaimLost(Conflict):
    """The lease of a job ran out and somebody else has it, or its user is gone."""

    code = "claim_lost"


class Unfinished(Conflict):
    """The same request came before and is being answered just now; soon its answer can be had."""

    code = "unfinished"
    retryable = True


class Denied(MemweaverError):
    """The credential does not allow this."""

    code = "denied"


class Unauthenticated(Denied):
    """There is no valid credential."""

    code = "unauthenticated"


class Forbidden(Denied):
    """The credential is valid, but not for this."""

    code = "forbidden"


class RateLimited(MemweaverError):
    """Asked too often, or for too much; after `retry_after` seconds it will do."""

    code = "rate_limited"
    retryable = True

    def __init__(self, message: str, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unsupported(MemweaverError):
    """The configured backend declares that it cannot do this."""

    code = "unsupported"


class Unreadable(MemweaverError):
    """Sealed under a key that is gone, or altered since it was sealed."""

    code = "unreadable"


class BackendError(MemweaverError):
    """A store, queue or bus failed."""

    code = "backend_error"


class BackendUnavailable(BackendError):
    """A backend could not be reached; trying again may help."""

    code = "backend_unavailable"
    retryable = True


class QueueUnavailable(BackendUnavailable):
    """The jobs of turns could not be written, though the turns could; nothing was kept."""

    code = "queue_unavailable"


class StorageFull(BackendError):
    """There is no room left to write; nothing of the request was kept."""

    code = "storage_full"


class SchemaMismatch(BackendError):
    """The database's schema is not the one this program knows."""

    code = "schema_mismatch"


class ReceiverError(MemweaverError):
    """A webhook's receiver could not be reached, or did not take what it was told."""

    code = "receiver_error"
    retryable = True


class NoUpstream(MemweaverError):
    """No chat model is configured to pass requests on to; the message names the setting."""

    code = "no_upstream"


class ModelError(MemweaverError):
    """A model failed."""

    code = "model_error"


class ModelUnavailable(ModelError):
    """A model could not be reached; trying again may help, after `retry_after` seconds if known."""

    code = "model_unavailable"
    retryable = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelBusy(ModelUnavailable):
    """A model has too much to do, or too much was asked of it at once."""

    code = "model_busy"


class ModelRefused(ModelError):
    """A model was reached and will not do it: wrong key, unknown model, refused input."""

    code = "model_refused"


class ModelOutputInvalid(ModelError):
    """A model answered, but not in the shape it was asked for."""

    code = "model_output_invalid"
    retryable = True


class ConfigurationError(MemweaverError):
    """The settings cannot work; the message says which one and what to do."""

    code = "configuration_error"


def place_of(error: Exception) -> str:
    """What broke and where, without its message, which may quote somebody."""
    *_, last = extract_tb(error.__traceback__)
    return f"{type(error).__name__} in {last.name}, line {last.lineno}"
