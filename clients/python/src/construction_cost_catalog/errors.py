"""The one exception of this client."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

#: Text of an answer that is not the API's own, such as a proxy's page, that an error repeats.
FOREIGN_CHARS_MAX = 200


class CatalogError(Exception):
    """A request that got no answer of use, after all retries."""

    def __init__(
        self,
        *,
        status: int | None,
        code: str,
        details: str | None,
        request: str,
        retry_after_seconds: int | None = None,
        request_id: str | None = None,
        snapshot_url: str | None = None,
    ) -> None:
        #: HTTP status of the answer; None when there was none.
        self.status = status
        #: A stable code of the API, such as "item_not_found", or one of this client: "unreachable",
        #: "unexpected_answer", "changes_missing", "cursor_repeated".
        self.code = code
        #: For people: the value found, and the expectation.
        self.details = details
        #: The API's hint when to come back, in whole seconds; None without one.
        self.retry_after_seconds = retry_after_seconds
        #: Finds the request in the service's log.
        self.request_id = request_id
        #: The manifest of the snapshot at which a copy begins again; with "changes_expired" only.
        self.snapshot_url = snapshot_url
        answer = code if status is None else f"{status} {code}"
        explained = answer if details is None else f"{answer}: {details}"
        hint = f"; come back in {retry_after_seconds} s" if retry_after_seconds else ""
        super().__init__(f"{explained}{hint} ({request})")


def error_of(response: httpx.Response, request: str) -> CatalogError:
    """The error that an answer says."""
    said: Any = None
    try:
        said = response.json()
    except ValueError:
        pass
    is_ours = isinstance(said, dict) and isinstance(said.get("error"), str)
    foreign = f"expected an answer of the API, found {response.text[:FOREIGN_CHARS_MAX]!r}"
    return CatalogError(
        status=response.status_code,
        code=said["error"] if is_ours else "unexpected_answer",
        details=said.get("details") if is_ours else foreign,
        retry_after_seconds=retry_after_of(response),
        request_id=response.headers.get("x-request-id"),
        snapshot_url=response.links.get("snapshot", {}).get("url"),
        request=request,
    )


def retry_after_of(response: httpx.Response, now: datetime | None = None) -> int | None:
    """Whole seconds that Retry-After asks to wait, from a number or a date; None without it."""
    value = response.headers.get("retry-after", "").strip()
    if value.isdecimal():
        return int(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0, math.ceil((at - (now or datetime.now(timezone.utc))).total_seconds()))
