"""The client of one catalog."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, Unpack, cast
from urllib.parse import quote

import httpx

from . import changes as feeds
from .errors import CatalogError, error_of
from .generated.api import (
    CanonicalItem,
    ExtendedItemDetailResponse,
    ExtendedSearchResponse,
    FoundItem,
    GetItemQuery,
    ListItemsQuery,
    MatchRequest,
    MatchResponse,
    SearchQuery,
)
from .retry import RetryLimits, send

JSON = "application/json"
MARKDOWN = "text/markdown"
#: The largest page of a list and of a search, for the fewest requests.
PAGE_ITEMS = 100
PAGE_RESULTS = 50
#: Operations that read although they are POST: asking twice does nothing twice.
READS_BY_POST = frozenset({"/match"})


class Catalog:
    """A client of the catalog at `base_url`, the address of its API with the version: "https://HOST/v1".

    `key` is a developer or organization key; reads need none. Every method raises CatalogError where it gets no answer
    of use. Close it, or use it in a `with` statement.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str | None = None,
        retry: RetryLimits = RetryLimits(),
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        self._base_url = base_url.rstrip("/")
        self._retry = retry
        self._sleep = sleep
        self._http = httpx.Client(headers=headers, timeout=retry.timeout_seconds, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def items(self, **query: Unpack[ListItemsQuery]) -> Iterator[CanonicalItem]:
        """Every item that the query selects, once, page after page."""
        for page in self.pages("/items", {"limit": PAGE_ITEMS, **query}):
            yield from page["items"]

    def item(self, id: str, **query: Unpack[GetItemQuery]) -> ExtendedItemDetailResponse:
        """One item with its vendors' prices and 90 days of history. Raises ValueError for an empty id."""
        return cast(ExtendedItemDetailResponse, self.get(f"/items/{_segment(id)}", query))

    def item_markdown(self, id: str, **query: Unpack[GetItemQuery]) -> str:
        """One item as text for language models."""
        return self.read(f"/items/{_segment(id)}", query, accept=MARKDOWN).decode()

    def search(self, **query: Unpack[SearchQuery]) -> ExtendedSearchResponse:
        """The items that fit the question `q` best."""
        return cast(ExtendedSearchResponse, self.get("/search", query))

    def results(self, **query: Unpack[SearchQuery]) -> Iterator[FoundItem]:
        """The results of all pages of a search."""
        for page in self.pages("/search", {"limit": PAGE_RESULTS, **query}):
            yield from page["results"]

    def match(self, bill: MatchRequest) -> MatchResponse:
        """Prices a bill of materials: an item, its median and the cost of the quantity for each line that one item fits."""
        return cast(MatchResponse, self.post("/match", bill))

    def changes(
        self,
        since: int | feeds.Position = 0,
        *,
        region: str | None = None,
        poll_seconds: float | None = None,
    ) -> Iterator[feeds.Change]:
        """What changed after `since`, in order, none left out; goes on for ever with `poll_seconds` (at least 1)."""
        return feeds.read_changes(
            lambda path, query, accept: self._ask("GET", path, query=query, accept=accept),
            since,
            region=region,
            poll_seconds=poll_seconds,
            sleep=self._sleep,
        )

    def position(self, region: str | None = None) -> feeds.Position:
        """Where the changes stand now: read it before `items()` to make a copy, and follow `changes(position)`."""
        return feeds.read_position(
            lambda path, query, accept: self._ask("GET", path, query=query, accept=accept), region
        )

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        """The JSON of any operation that reads: `path` is the one of the API's reference with its values in place."""
        return _json_of(self._answer("GET", path, query=query))

    def read(self, path: str, query: Mapping[str, Any] | None = None, *, accept: str) -> bytes:
        """The same in any other media type that the operation has."""
        return self._answer("GET", path, query=query, accept=accept).content

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The JSON of any operation that takes a body."""
        return _json_of(self._answer("POST", path, body=body))

    def pages(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The pages of any list: its next page is named by `cursor` or by the header Link."""
        asked = dict(query or {})
        seen: set[str] = set()
        while True:
            response = self._answer("GET", path, query=asked)
            page = _json_of(response)
            yield page
            cursor = page.get("cursor") or _next_cursor(response)
            if cursor is None:
                return
            if cursor in seen:
                raise _repeated(path, cursor)
            seen.add(cursor)
            asked["cursor"] = cursor

    def _answer(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        accept: str = JSON,
    ) -> httpx.Response:
        response = self._ask(method, path, query=query, body=body, accept=accept)
        if not response.is_success:
            raise error_of(response, f"{method} {path}")
        return response

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        accept: str,
    ) -> httpx.Response:
        request = self._http.build_request(
            method,
            self._base_url + path,
            params={name: value for name, value in (query or {}).items() if value is not None},
            json=body,
            headers={"accept": accept},
        )
        is_read = method == "GET" or path in READS_BY_POST
        return send(self._http, request, limits=self._retry, is_read=is_read, sleep=self._sleep)


def _segment(id: str) -> str:
    if id == "":
        # The path without an id is that of the list.
        raise ValueError("item: '' is no id: expected one such as ci_4pkz6qjxw2h7mtd3ruvy5cnaeo")
    return quote(id, safe="")


def _next_cursor(response: httpx.Response) -> str | None:
    """The cursor of the page that the header Link leads to."""
    url = response.links.get("next", {}).get("url")
    return None if url is None else httpx.URL(url).params.get("cursor")


def _json_of(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as cause:
        raise CatalogError(
            status=response.status_code,
            code="unexpected_answer",
            details=f"expected {JSON}: {cause}",
            request=f"{response.request.method} {response.request.url.path}",
        ) from cause


def _repeated(path: str, cursor: str) -> CatalogError:
    """Pages that lead back to themselves would never end."""
    details = f"expected a page that was not read before, found cursor {cursor!r} again"
    return CatalogError(status=200, code="cursor_repeated", details=details, request=f"GET {path}")
