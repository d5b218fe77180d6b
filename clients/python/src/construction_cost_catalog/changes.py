"""Changes of a catalog, in order: what a copy follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict, cast

import httpx

from .errors import CatalogError, error_of
from .generated.api import CanonicalItem

#: More often than this nobody needs to ask: runs publish at night.
POLL_SECONDS_MIN = 1.0


class Position(NamedTuple):
    """Where a reader of changes stands. Numbers of two generations say nothing about one another."""

    gen: str
    seq: int


class ItemState(TypedDict):
    """An item as the feeds show it."""

    item: CanonicalItem
    #: Regions in which it is sold.
    regions: list[str]
    #: The median of each region in that region's money: region, median_price and vendor_count.
    markets: list[dict[str, Any]]
    state: Literal["active", "merged", "gone"]
    merged_into: str | None


class Change(TypedDict):
    """One change of one item."""

    gen: str
    seq: int
    #: upsert: the item is as in `state`; delete: it left the catalog; leave: it left this region.
    op: Literal["upsert", "delete", "leave"]
    #: The item, "ci_...".
    id: str
    version: int
    #: Instant, RFC 3339.
    updated: str
    #: The chain of hashes up to this change, in hexadecimal digits.
    chain: str
    #: SHA-256 of the canonical state, in hexadecimal digits; of an upsert only.
    sha256: NotRequired[str]
    #: Of an upsert only.
    state: NotRequired[ItemState]
    #: The item that took its place; of a delete by a merge only.
    merged_into: NotRequired[str]


#: Sends a GET below the base address with these parameters and this Accept.
Ask = Callable[[str, dict[str, Any], str], httpx.Response]


def read_position(ask: Ask, region: str | None) -> Position:
    """Where the feed of the whole catalog, or of one region, stands now."""
    response = ask("/feeds/state.json", {}, "application/json")
    if not response.is_success:
        raise error_of(response, "GET /feeds/state.json")
    state = response.json()
    scope = "items" if region is None else f"region/{region}"
    return Position(state["gen"], state["scopes"].get(scope, {}).get("head", 0))


def read_changes(
    ask: Ask,
    since: int | Position,
    *,
    region: str | None,
    poll_seconds: float | None,
    sleep: Callable[[float], None],
) -> Iterator[Change]:
    """The changes after `since`, ascending, each once and none left out."""
    # A number without its generation is taken to be of the present one; from here on it may not change unnoticed.
    position = since if isinstance(since, Position) else Position(read_position(ask, region).gen, since)
    gen, seq = position
    path = "/feeds/items.atom" if region is None else f"/feeds/region/{region}"
    while True:
        response = ask(path, {"since": seq, "gen": gen}, "application/x-ndjson")
        if response.status_code != httpx.codes.NOT_MODIFIED:
            if not response.is_success:
                raise error_of(response, f"GET {path}?since={seq}&gen={gen}")
            for line in response.content.splitlines():
                change = cast(Change, {**json.loads(line), "gen": gen})
                if change["seq"] != seq + 1:
                    raise _missing(seq + 1, change["seq"], path)
                seq = change["seq"]
                yield change
            if "next" in response.links:
                continue
        if poll_seconds is None:
            return
        sleep(max(POLL_SECONDS_MIN, poll_seconds))


def _missing(expected: int, found: int, path: str) -> CatalogError:
    details = f"expected change {expected}, found {found}"
    return CatalogError(status=None, code="changes_missing", details=details, request=f"GET {path}")
