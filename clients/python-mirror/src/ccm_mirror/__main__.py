"""The command ccm-mirror."""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import sys
import time
from typing import List, Optional

from .copy import Copy
from .downloads import Downloads, Limits
from .errors import MirrorError, Unreachable, Unsettled
from .sync import Mirror

EVERY_SECONDS = 60.0
SCOPE = re.compile(r"(items|region/[A-Z]{2,5})\Z")


def _scope(text: str) -> str:
    if SCOPE.match(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r}: expected items or region/CODE")
    return text


def _arguments(argv: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ccm-mirror", description="Keeps a proven copy of a catalog in SQLite.")
    parser.add_argument("url", help="base address with its /v1, or the folder of a static copy")
    parser.add_argument("copy", help="SQLite file of the copy")
    parser.add_argument("--scope", type=_scope, default="items", help="items, or region/CODE (default: items)")
    parser.add_argument("--follow", action="store_true", help="poll until interrupted")
    parser.add_argument("--every", type=float, default=EVERY_SECONDS, help="seconds between polls (default: 60)")
    parser.add_argument("--verify", action="store_true", help="hash every text of the copy, and mend what differs")
    parser.add_argument("--key", help="id of the key that must have signed, or endorsed the signer")
    parser.add_argument("--accept-generation", metavar="GEN", help="let this generation replace the copy by less")
    parser.add_argument("--attempts", type=int, default=Limits().attempts, help="attempts for one address (default: 6)")
    parser.add_argument("--json", action="store_true", help="write a JSON object a pass")
    return parser.parse_args(argv)


def main(argv: Optional[List[str]] = None) -> int:
    """Runs the command; answers its exit code: 0 where the copy is current, 1 where it is not."""
    given = _arguments(argv)
    try:
        copy = Copy(given.copy, given.scope)
    except (MirrorError, sqlite3.Error) as error:
        return _failed(given.json, error)
    downloads = Downloads(Limits(attempts=max(1, given.attempts)))
    try:
        mirror = Mirror(given.url, given.scope, copy, downloads, given.key, given.accept_generation)
        while True:
            try:
                _pass(mirror, given)
            except (Unreachable, Unsettled) as error:
                if not given.follow:
                    raise
                _failed(given.json, error)
            if not given.follow:
                return 0
            time.sleep(max(1.0, given.every))
    except (MirrorError, sqlite3.Error) as error:
        return _failed(given.json, error)
    except KeyboardInterrupt:
        return 130
    finally:
        copy.close()


def _pass(mirror: Mirror, given: argparse.Namespace) -> None:
    before = mirror.downloads.requests
    report = mirror.sync(given.verify)
    at = mirror.describe()
    done = {"applied": report.applied, "restart": report.restart, "repaired": report.repaired}
    if given.json:
        print(json.dumps({**at, **done, "requests": mirror.downloads.requests - before}), flush=True)
        return
    proved = "not proved yet" if at["proved"] is None else f"proved at {at['proved']['seq']}"
    counts = f"{report.applied} changes applied, {report.repaired} buckets made again"
    print(f"{at['scope']}: {at['count']} items at {at['seq']} of {at['gen']}, {proved}; {counts}", flush=True)


def _failed(is_json: bool, error: Exception) -> int:
    kind, hint = getattr(error, "kind", "storage"), ""
    # An operational error is about the disk or another process, and leaves the file as it is.
    if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
        kind, hint = "damaged", ": the copy's file is damaged; delete it and begin again"
    if is_json:
        print(json.dumps({"error": kind, "details": f"{error}{hint}"}), flush=True)
    else:
        print(f"ccm-mirror: {error}{hint}", file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
