"""What the libraries of the protocol say: in our log, and nothing of what people send."""

import logging


def log_of_sockets() -> logging.Logger:
    """Its everyday lines quote events."""
    log = logging.getLogger(f"{__name__}.sockets")
    log.setLevel(logging.WARNING)
    return log


def log_of_transport() -> logging.Logger:
    """Its everyday lines quote packets."""
    log = logging.getLogger(f"{__name__}.transport")
    log.setLevel(logging.WARNING)
    log.addFilter(calmly)
    return log


def calmly(line: logging.LogRecord) -> bool:
    """Whoever asks wrongly is no mistake of the server: only what it failed at itself is."""
    if line.levelno == logging.ERROR and not line.exc_info:
        line.levelno, line.levelname = logging.WARNING, "WARNING"
    return True
