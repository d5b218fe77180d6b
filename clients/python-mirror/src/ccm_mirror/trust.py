"""Signatures of an origin: its catalog and keys are pinned at first contact, and keys vouch for their successors."""

from __future__ import annotations

import base64
import re
from datetime import datetime
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .documents import Fields, json_of
from .errors import contradict, unsettle
from .hashing import canonical, sha256

UNSIGNED = ("signatures", "mirror")
SIGNATURES_MAX = 16
KEYS_MAX = 1000
ENDORSEMENT = ("catalog", "created_at", "id", "public_key")
INSTANT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z\Z"

# What a copy remembers: {"catalog", "keys": {id: {"public_key", ...}}, "generated_at", "valid_until"}.
Trust = Dict[str, Any]


def signed_bytes(kind: str, members: Dict[str, Any]) -> bytes:
    """The bytes under a signature of a document of this kind: state, digest, manifest or key."""
    covered = {name: value for name, value in members.items() if name not in UNSIGNED}
    return b"ccm/1\0" + kind.encode() + b"\0" + canonical(covered).encode()


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the bytes are an Ed25519 signature (RFC 8032) of the message by the key of 32 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public_key: bytes) -> str:
    """The id of a key: the first 32 hex digits of the SHA-256 of its 32 bytes."""
    return sha256(public_key).hex()[:32]


def instant(text: str) -> datetime:
    """An instant of a document, whose form was checked."""
    whole, _, fraction = text[:-1].partition(".")
    return datetime.fromisoformat(f"{whole}.{fraction.ljust(6, '0')}+00:00")


def check_state(
    members: Dict[str, Any], trust: Optional[Trust], key: Optional[str], read_keys: Callable[[str], bytes]
) -> Optional[Trust]:
    """
    What to trust after this state.json; None while an origin signs nothing and nothing is pinned. `key` is the id that
    the user demands, `read_keys` reads the document of keys. Raises Contradiction for a missing or wrong signature and
    for another catalog, Unsettled for a state that is older than one that was seen.
    """
    if "signatures" not in members:
        if trust is not None or key is not None:
            contradict("state.json: signatures", f"one of {key or ', '.join(trust['keys'] if trust else [])}", "none")
        return None
    fields = Fields(members, "state.json")
    catalog, generated = fields.text("catalog"), fields.text("generated_at", INSTANT, "an instant")
    valid_until = fields.text("valid_until", INSTANT, "an instant")
    if trust is not None and catalog != trust["catalog"]:
        contradict("state.json: catalog", trust["catalog"], catalog)
    keys = {name: each for name, each in (trust["keys"] if trust else {}).items() if key in (None, name)}
    signed = [name for name, _signature in _listed(members["signatures"])]
    if not set(signed) & set(keys):
        listed = parse_keys(read_keys(fields.text("keys")), catalog)
        # At the first contact the keys that sign are those to keep.
        roots = [key] if key is not None else list(keys) or signed
        keys = endorsed({**{name: listed[name] for name in roots if name in listed}, **keys}, listed, catalog)
    ours = [name for name in signed if name in keys]
    if not ours or ours != list(signers("state", members, members["signatures"], keys)):
        expected = key or ", ".join(keys) or "a key of the catalog"
        contradict("state.json: signatures", f"right ones by {expected}", "others")
    if trust is not None and instant(generated) < instant(trust["generated_at"]):
        unsettle("state.json: generated_at", f"{trust['generated_at']} or later", generated)
    return {"catalog": catalog, "keys": keys, "generated_at": generated, "valid_until": valid_until}


def require_current(trust: Optional[Trust], now: datetime) -> None:
    """Raises Unsettled for a state that has expired: whoever serves it may have kept it from us since."""
    if trust is not None and instant(trust["valid_until"]) < now:
        unsettle("state.json: valid_until", f"{now.isoformat()} or later", trust["valid_until"])


def parse_keys(data: bytes, catalog: str) -> Dict[str, Dict[str, Any]]:
    """The keys of keys.json by their ids, which must be those of their bytes."""
    fields = Fields(json_of(data, "keys.json"), "keys.json")
    if fields.text("catalog") != catalog:
        contradict("keys.json: catalog", catalog, fields.text("catalog"))
    keys: Dict[str, Dict[str, Any]] = {}
    for value in fields.list("keys")[:KEYS_MAX]:
        each = Fields(value, "keys.json: key")
        public_key = _decoded(each.text("public_key"))
        if each.text("id") != key_id(public_key):
            contradict("keys.json: id", key_id(public_key), each.text("id"))
        each.text("created_at")
        keys[each.text("id")] = each.members
    return keys


def endorsed(
    trusted: Dict[str, Dict[str, Any]], listed: Dict[str, Dict[str, Any]], catalog: str
) -> Dict[str, Dict[str, Any]]:
    """The trusted keys, those that they endorse, those that these endorse, and so on, as the list describes them."""
    known = {name: listed.get(name, each) for name, each in trusted.items()}
    while True:
        added = {
            name: each
            for name, each in listed.items()
            if name not in known and any(_endorsers({**each, "catalog": catalog}, known))
        }
        if not added:
            return known
        known.update(added)


def _endorsers(each: Dict[str, Any], known: Dict[str, Dict[str, Any]]) -> Iterator[str]:
    covered = {name: each[name] for name in ENDORSEMENT}
    return signers("key", covered, each.get("endorsements"), known)


def signers(
    kind: str, members: Dict[str, Any], signatures: Any, keys: Dict[str, Dict[str, Any]]
) -> Iterator[str]:
    """The ids of the given keys whose signature of the document, of this kind, is right."""
    for name, signature in _listed(signatures):
        if name in keys and _is_right(kind, members, str(keys[name]["public_key"]), signature):
            yield name


def _is_right(kind: str, members: Dict[str, Any], public_key: str, signature: str) -> bool:
    try:
        return verify(_decoded(public_key), signed_bytes(kind, members), _decoded(signature))
    except (ValueError, OverflowError, RecursionError):
        return False  # No canonical JSON can carry the document.


def _listed(signatures: Any) -> List[Tuple[str, str]]:
    if not isinstance(signatures, list):
        return []
    fields = [Fields(value, "signature") for value in signatures[:SIGNATURES_MAX]]
    return [(each.text("key"), each.text("signature")) for each in fields]


def _decoded(text: str) -> bytes:
    """The bytes of base64url without padding; none for another text, which then is no key and no signature."""
    if not re.match(r"[A-Za-z0-9_-]{1,200}\Z", text) or len(text) % 4 == 1:
        return b""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).decode().rstrip("=") == text else b""
