"""Hashes of ccm/1: canonical JSON, chains, buckets and the state root."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any, Dict, Iterable, List, Tuple

NO_STATE = bytes(32)
EXACT_MAX = 2**53
BUCKETS = 256


def sha256(*parts: bytes) -> bytes:
    """SHA-256 of the concatenated parts."""
    running = hashlib.sha256()
    for part in parts:
        running.update(part)
    return running.digest()


def chain_start(gen: str, scope: str) -> bytes:
    """chain_0 of a scope in a generation."""
    return sha256(f"ccm/1\0{gen}\0{scope}".encode())


def chain_next(chain: bytes, seq: int, op: str, item: str, state_sha: bytes) -> bytes:
    """The chain after a change; `state_sha` counts for an upsert alone."""
    number = seq.to_bytes(8, "big")
    return sha256(chain, number, op[0].encode(), item.encode(), b"\0", state_sha if op == "upsert" else NO_STATE)


def bucket_of(item: str) -> int:
    """The bucket of an id, 0 to 255."""
    return sha256(item.encode())[0]


def bucket_hash(rows: Iterable[Tuple[str, bytes]]) -> bytes:
    """The hash of one bucket; its rows come in ascending byte order of ids."""
    running = hashlib.sha256()
    for item, digest in rows:
        running.update(item.encode() + b"\0" + digest)
    return running.digest()


def root_of(buckets: List[bytes]) -> str:
    """The state root over 256 bucket hashes, as hex."""
    return sha256(*buckets).hex()


def canonical(value: Any) -> str:
    """Canonical JSON (RFC 8785). Raises ValueError for what JSON cannot carry."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value) if abs(value) <= EXACT_MAX else _number(float(value))
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(element) for element in value) + "]"
    members: Dict[str, Any] = value
    # RFC 8785 orders keys by UTF-16 code units, Python by code points.
    keys = sorted(members, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{_text(key)}:{canonical(members[key])}" for key in keys) + "}"


def _text(value: str) -> str:
    value.encode()  # A lone surrogate is a UnicodeEncodeError, which is a ValueError.
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """A number as ECMAScript writes it: the shortest digits that give the same double."""
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{value} is no number of JSON")
    if value == 0:
        return "0"
    sign, all_digits, power = Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, all_digits)).rstrip("0")
    point = len(all_digits) + int(power)
    minus = "-" if sign else ""
    if len(digits) <= point <= 21:
        return minus + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{minus}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{minus}{digits[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"
