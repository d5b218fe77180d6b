"""When a request is sent again, and when it is given up."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from .errors import CatalogError, retry_after_of

#: Statuses after which a read may be sent again.
TRANSIENT = frozenset({502, 503, 504})


@dataclass(frozen=True)
class RetryLimits:
    """Bounds of one call, with all its attempts."""

    #: Requests that one call may send, the first one included.
    attempts_max: int = 4
    #: Seconds that one call may wait in all: a longer Retry-After becomes an error at once. A minute's limit is free
    #: again within 60 seconds.
    wait_seconds_max: float = 65.0
    #: The first wait where the answer names none; it doubles, and a random part of up to a half is taken off.
    backoff_seconds: float = 0.5
    #: Seconds without a byte after which one attempt counts as failed.
    timeout_seconds: float = 30.0


def next_wait(
    limits: RetryLimits,
    *,
    number: int,
    status: int | None,
    retry_after_seconds: int | None,
    waited_seconds: float,
    is_read: bool,
    chance: float,
) -> float | None:
    """Seconds to wait after attempt `number` (from 1); None when the call ends with it. `chance` is from 0 to 1."""
    # A request that a limit refused was not begun; any other may have been.
    may_repeat = status == 429 or (is_read and (status is None or status in TRANSIENT))
    if number >= limits.attempts_max or not may_repeat:
        return None
    backoff = limits.backoff_seconds * 2 ** (number - 1) * (1 - chance / 2)
    wait = backoff if retry_after_seconds is None else float(retry_after_seconds)
    return wait if waited_seconds + wait <= limits.wait_seconds_max else None


def send(
    client: httpx.Client,
    request: httpx.Request,
    *,
    limits: RetryLimits,
    is_read: bool,
    sleep: Callable[[float], None] = time.sleep,
) -> httpx.Response:
    """Sends a request, and again when the answer says; returns the last answer with its body read.

    Raises CatalogError "unreachable" when none came.
    """
    waited_seconds = 0.0
    number = 1
    while True:
        answer = _attempt(client, request, limits)
        is_answer = isinstance(answer, httpx.Response)
        wait = next_wait(
            limits,
            number=number,
            status=answer.status_code if isinstance(answer, httpx.Response) else None,
            retry_after_seconds=retry_after_of(answer) if isinstance(answer, httpx.Response) else None,
            waited_seconds=waited_seconds,
            is_read=is_read,
            chance=random.random(),
        )
        if wait is None:
            if isinstance(answer, httpx.Response):
                return answer
            raise answer
        sleep(wait)
        waited_seconds += wait
        number += 1


def _attempt(client: httpx.Client, request: httpx.Request, limits: RetryLimits) -> httpx.Response | CatalogError:
    """One request with its body, or why no answer came."""
    try:
        return client.send(request, follow_redirects=True)
    except httpx.TransportError as cause:
        late = isinstance(cause, httpx.TimeoutException)
        details = f"expected an answer within {limits.timeout_seconds:g} s" if late else str(cause) or repr(cause)
        error = CatalogError(
            status=None, code="unreachable", details=details, request=f"{request.method} {request.url}"
        )
        error.__cause__ = cause
        return error
