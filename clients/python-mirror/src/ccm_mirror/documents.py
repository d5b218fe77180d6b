"""The JSON documents of an origin, checked member by member: state.json, manifests, digests and lines of states."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, NamedTuple, Optional
from urllib.parse import urljoin

from .errors import contradict
from .hashing import BUCKETS, root_of, sha256

PAGE_SIZE_MAX = 100_000
HASH = re.compile(r"[0-9a-f]{64}\Z")
NAME = re.compile(r"[A-Za-z0-9_-]{1,100}\Z")
PATH = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~/-]{0,500}\Z")


class Position(NamedTuple):
    """Where a copy stands: the chain, as hex, after change `seq` of the generation."""

    gen: str
    seq: int
    chain: str


class Scope(NamedTuple):
    head: int
    chain: str
    floor: int
    closed: int
    subscription: str
    archive: Callable[[int], str]


class Proof(NamedTuple):
    """The state root of a scope at one of its numbers, and the digest's address."""

    seq: int
    root: str
    url: str


class SnapshotLink(NamedTuple):
    seq: int
    url: str
    sha: str


class State(NamedTuple):
    """state.json with absolute addresses; `members` holds all of it, as a signature covers it."""

    url: str
    gen: str
    page_size: int
    scopes: Dict[str, Scope]
    proofs: Dict[str, Proof]
    snapshot: Optional[SnapshotLink]
    members: Dict[str, Any]


@dataclass(frozen=True)
class Shard:
    bucket: int
    url: str
    count: int
    sha: str


@dataclass(frozen=True)
class Start:
    """A snapshot's place in one scope."""

    seq: int
    chain: str
    count: int
    root: str


class Manifest(NamedTuple):
    starts: Dict[str, Start]
    shards: List[Shard]


class Fields:
    """The members of a JSON object; each getter refuses a wrong one with its place."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            contradict(where, "an object", type(value).__name__)
        self.members: Dict[str, Any] = value
        self.where = where

    def _checked(self, name: str, expected: str, is_right: Callable[[Any], bool]) -> Any:
        value = self.members.get(name)
        if not is_right(value):
            contradict(f"{self.where}: {name}", expected, repr(value)[:200])
        return value

    def text(self, name: str, pattern: str = r"(?s).*\Z", expected: str = "text") -> str:
        is_right = lambda value: isinstance(value, str) and re.match(pattern, value) is not None  # noqa: E731
        return str(self._checked(name, expected, is_right))

    def hash(self, name: str) -> str:
        return self.text(name, HASH.pattern, "64 hex digits")

    def number(self, name: str, least: int = 0, most: int = 2**53 - 1) -> int:
        is_right = lambda value: type(value) is int and least <= value <= most  # noqa: E731
        return int(self._checked(name, f"a whole number from {least} to {most}", is_right))

    def list(self, name: str) -> List[Any]:
        found: List[Any] = self._checked(name, "a list", lambda value: isinstance(value, list))
        return found

    def object(self, name: str) -> "Fields":
        return Fields(self.members.get(name), f"{self.where}: {name}")

    def optional(self, name: str) -> Optional["Fields"]:
        return None if self.members.get(name) is None else self.object(name)

    def objects(self) -> Dict[str, "Fields"]:
        return {name: self.object(name) for name in self.members}


def json_of(data: bytes, where: str) -> Any:
    """The value of a JSON document. Raises Contradiction for anything else."""

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is no value of JSON")

    try:
        return json.loads(data.decode(), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        contradict(where, "JSON", error)


def address_of(relative: str, base: str) -> str:
    """The absolute address of a plain path below the folder of `base`: no origin sends a mirror elsewhere."""
    folder = urljoin(base, ".")
    if not PATH.match(relative) or ".." in relative.split("/") or not urljoin(folder, relative).startswith(folder):
        contradict(base, f"an address below {folder}", repr(relative[:200]))
    return urljoin(folder, relative)


def parse_state(data: bytes, url: str) -> State:
    """state.json, read from `url`."""
    state = Fields(json_of(data, url), url)
    state.text("protocol", r"ccm/1\Z", "ccm/1")

    def scope_of(fields: Fields) -> Scope:
        archive = fields.text("archive")
        return Scope(
            head=fields.number("head"),
            chain=fields.hash("chain"),
            floor=fields.number("floor"),
            closed=fields.number("closed"),
            subscription=address_of(fields.text("subscription"), url),
            archive=lambda page: address_of(archive.replace("{page}", str(page)), url),
        )

    digest, snapshot = state.optional("digest"), state.optional("snapshot")
    proofs = {} if digest is None else digest.object("scopes").objects()
    return State(
        url=url,
        gen=state.text("gen", NAME.pattern, "letters, digits, - and _"),
        page_size=state.number("page_size", 1, PAGE_SIZE_MAX),
        scopes={name: scope_of(fields) for name, fields in state.object("scopes").objects().items()},
        proofs={
            name: Proof(fields.number("seq"), fields.hash("state_root"), address_of(fields.text("url"), url))
            for name, fields in proofs.items()
        },
        snapshot=None
        if snapshot is None
        else SnapshotLink(snapshot.number("seq"), address_of(snapshot.text("url"), url), snapshot.hash("sha256")),
        members=state.members,
    )


def parse_manifest(data: bytes, link: SnapshotLink, gen: str) -> Manifest:
    """The manifest that state.json names."""
    if sha256(data).hex() != link.sha:
        contradict(f"{link.url}: sha256", link.sha, sha256(data).hex())
    manifest = Fields(json_of(data, link.url), link.url)
    if manifest.text("gen") != gen or manifest.number("seq") != link.seq:
        contradict(link.url, f"gen {gen} at {link.seq}", f"{manifest.text('gen')} at {manifest.number('seq')}")
    listed = [Fields(value, f"{link.url}: shard {n}") for n, value in enumerate(manifest.list("shards"))]
    shards = [
        Shard(n, address_of(fields.text("file"), link.url), fields.number("count"), fields.hash("sha256"))
        for n, fields in enumerate(listed)
        if fields.number("bucket", n, n) == n
    ]
    if len(shards) != BUCKETS:
        contradict(f"{link.url}: shards", BUCKETS, len(shards))
    starts = {
        name: Start(fields.number("seq"), fields.hash("chain"), fields.number("count"), fields.hash("state_root"))
        for name, fields in manifest.object("scopes").objects().items()
    }
    return Manifest(starts, shards)


def parse_digest(data: bytes, url: str, root: str) -> List[bytes]:
    """The 256 bucket hashes of a digest, which must give the root that state.json names."""
    hashes = Fields(json_of(data, url), url).list("buckets")
    if len(hashes) != BUCKETS or not all(isinstance(text, str) and HASH.match(text) for text in hashes):
        contradict(f"{url}: buckets", f"{BUCKETS} hashes", len(hashes))
    buckets = [bytes.fromhex(text) for text in hashes]
    if root_of(buckets) != root:
        contradict(f"{url}: root", root, root_of(buckets))
    return buckets
