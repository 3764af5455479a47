"""What we send stays out of everyone's logs, whatever level the client library's loggers are set to."""

import logging
import threading

# Whether the thread at hand is in a request of ours.
asking = threading.local()


class _NotOurRequests(logging.Filter):
    """Keeps what the client library logs at debug level, prompts among it, out of everyone's logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING or not getattr(asking, "here", False)


_filter = _NotOurRequests()


def keep_requests_out_of_logs() -> None:
    """Install the filter once on each logger that a request passes."""
    for name in ("openai", "openai._base_client", "httpx", "httpx2", "httpcore", "httpcore2"):
        logger = logging.getLogger(name)
        if _filter not in logger.filters:
            logger.addFilter(_filter)
