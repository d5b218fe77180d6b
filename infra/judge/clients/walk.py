"""A reader of the Python package: python walk.py COMMAND ADDRESS ARGUMENTS. It prints one JSON value a line."""

import json
import sys
from typing import Any

from construction_cost_catalog import Catalog, CatalogError, Position, RetryLimits

command, address, *given = sys.argv[1:]


def put(value: object) -> None:
    print(json.dumps(value), flush=True)


def shown(error: CatalogError) -> dict[str, Any]:
    return {
        "status": error.status,
        "code": error.code,
        "details": error.details,
        "retry_after_seconds": error.retry_after_seconds,
        "message": str(error),
    }


def walk() -> None:
    """Every item, one of them as text, and a bill."""
    with Catalog(address) as catalog:
        position = catalog.position()
        items = [item["id"] for item in catalog.items()]
        found = {
            "position": position._asdict(),
            "items": items,
            "item": catalog.item(items[0])["item"],
            "markdown": catalog.item_markdown(items[0]),
            "bill": catalog.match(json.loads(given[0])),
        }
        try:
            catalog.item("ci_none")
        except CatalogError as error:
            put({**found, "unknown": shown(error)})


def follow() -> None:
    """The changes after a position until this process is ended."""
    with Catalog(address) as catalog:
        for change in catalog.changes(Position(given[0], int(given[1])), poll_seconds=1):
            put(change)


def limited() -> None:
    """Pages of few items until the catalog asks for a longer wait than this reader grants."""
    items = 0
    with Catalog(address, retry=RetryLimits(wait_seconds_max=5)) as catalog:
        try:
            for _ in catalog.items(limit=10):
                items += 1
        except CatalogError as error:
            put({"items": items, "error": shown(error)})


{"walk": walk, "follow": follow, "limited": limited}[command]()
