"""The algorithm of docs/mirror-protocol.md: brings a copy to the head of its origin, and proves it at marks."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import partial
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple, Union

from .copy import Copy, Row
from .documents import (
    Manifest, Position, Proof, Scope, Shard, SnapshotLink, Start, State, address_of, parse_digest, parse_manifest,
    parse_state,
)
from .downloads import Downloads, Refused, unpacked
from .errors import Contradiction, Held, MirrorError, Unreachable, Unsettled, contradict, unsettle
from .feed import Checked, check_document, parse_atom, require_successors
from .hashing import BUCKETS, bucket_of, chain_start, root_of, sha256
from .trust import check_state, require_current

ROUNDS_MAX = 5
SHARD_TEXT_BYTES_MAX = 512 * 1024 * 1024
# A later generation with fewer items than this share of the copy's is held.
HELD_BELOW_SIGNED = 0.9
HELD_BELOW_UNSIGNED = 1.0
ALL = set(range(BUCKETS))


@dataclass
class Report:
    """What a pass did: changes applied, how it began again (snapshot, zero or None), and the buckets made again."""

    applied: int = 0
    restart: Optional[str] = None
    repaired: int = 0


def decide(state: State, name: str, held: Optional[Position], head_seen: int, fresh: bool) -> bool:
    """
    Whether the copy begins again. `head_seen` is the largest head of this generation so far, `fresh` says that the
    state passed by all caches. Raises Unsettled for a state to ask for again, Contradiction for a rewritten history.
    """
    scope = scope_of(state, name)
    if held is None:
        return True
    where = f"{name} seq {held.seq}"
    if state.gen != held.gen:
        # A later generation is greater as text. To begin again is dear, so pass by caches first.
        if state.gen < held.gen or not fresh:
            unsettle(f"{where}: gen of state.json", f"{held.gen} or a later one", state.gen)
        return True
    if held.seq < scope.floor:
        if not fresh:
            unsettle(f"{where}: floor of state.json", f"at most {held.seq}", scope.floor)
        return True
    # A document may be ahead of state.json for a moment; state.json is never behind what it said.
    if scope.head < held.seq and (not fresh or scope.head < head_seen):
        unsettle(f"{where}: head of state.json", f"at least {held.seq}", scope.head)
    if scope.head == held.seq and scope.chain != held.chain:
        contradict(f"{where}: chain at the head: history was rewritten", held.chain, scope.chain)
    return False


def scope_of(state: State, name: str) -> Scope:
    """The scope of this name."""
    if name not in state.scopes:
        raise Unreachable(f"scope {name} is not there: expected one of {', '.join(state.scopes)[:500]}")
    return state.scopes[name]


def zero_of(gen: str, name: str) -> Position:
    """The position before the first change of a generation."""
    return Position(gen, 0, chain_start(gen, name).hex())


def start_of(state: State, name: str) -> Union[SnapshotLink, Position]:
    """Where a copy begins: at the snapshot, or without one at 0. Raises Unsettled where neither is possible."""
    if state.snapshot is not None:
        return state.snapshot
    if scope_of(state, name).floor > 0:
        unsettle(f"{name}: snapshot", f"one from {scope_of(state, name).floor} on", "none")
    return zero_of(state.gen, name)


def next_document(state: State, name: str, at: Position) -> Optional[str]:
    """The address of the document with the change after the position; None at the head."""
    scope, page = scope_of(state, name), at.seq // state.page_size
    if at.seq >= scope.head:
        return None
    return scope.archive(page) if page < scope.closed else scope.subscription


def shard_rows(packed: bytes, shard: Shard, scope: str) -> Iterator[Row]:
    """The rows of a scope in a shard file, whose hash, count and ids must be right."""
    if sha256(packed).hex() != shard.sha:
        contradict(f"{shard.url}: sha256", shard.sha, sha256(packed).hex())
    try:
        text = b"".join(unpacked(iter([packed]), SHARD_TEXT_BYTES_MAX))
        lines = text.split(b"\n")[:-1] if text.endswith(b"\n") else text.split(b"\n") if text else []
        if len(lines) != shard.count:
            contradict(f"{shard.url}: states", shard.count, len(lines))
        for line in lines:
            state = json.loads(line)
            item, regions = str(state["item"]["id"]), state["regions"]
            if bucket_of(item) != shard.bucket:
                contradict(f"{shard.url}: bucket of {item[:80]}", shard.bucket, bucket_of(item))
            if scope == "items" or scope[len("region/"):] in regions:
                yield item, shard.bucket, sha256(line).hex(), line.decode()
    except (Refused, zlib.error, ValueError, KeyError, TypeError, RecursionError) as error:
        contradict(shard.url, "packed states", repr(error)[:200])


class Mirror:
    """A copy of one scope of one origin. `accept` names a generation that may replace the copy by less."""

    def __init__(
        self, url: str, scope: str, copy: Copy, downloads: Downloads,
        key: Optional[str] = None, accept: Optional[str] = None,
    ) -> None:
        base = url if url.endswith("/") else f"{url}/"
        if not base.startswith(("http://", "https://")):
            raise MirrorError(f"address {url!r}: expected http://... or https://...")
        self._addresses = [f"{base}feeds/state.json", f"{base}state.json"]
        self.scope, self.copy, self.downloads = scope, copy, downloads
        self._key, self._accept = key, accept
        self._fresh = False

    def sync(self, verify: bool = False) -> Report:
        """One pass to the head. Raises a MirrorError when it cannot; rows and position then stay as they are proved."""
        report, said, rounds = Report(), "", 0
        while True:
            self._fresh, applied = rounds > 0, report.applied
            try:
                self._round(report, verify)
                return report
            except (Unsettled, Contradiction) as error:
                self.copy.set(validators=None)
                rounds = 1 if report.applied > applied else rounds + 1
                # The same contradiction past all caches is final.
                is_final = isinstance(error, Contradiction) and self._fresh and str(error) == said
                if is_final or rounds >= ROUNDS_MAX:
                    raise
                said = str(error)

    def describe(self) -> Dict[str, Any]:
        """Where the copy stands."""
        at, proved, trust = self.copy.position(), self.copy.get("proved"), self.copy.get("trust")
        return {
            "scope": self.scope,
            "gen": at and at.gen, "seq": at and at.seq, "chain": at and at.chain,
            "count": self.copy.count(),
            "proved": proved,
            "catalog": trust and trust["catalog"], "keys": sorted(trust["keys"]) if trust else [],
        }

    def _round(self, report: Report, verify: bool) -> None:
        found = self._state(is_conditional=not verify and not self._fresh)
        require_current(self.copy.get("trust"), datetime.now(timezone.utc))
        if found is None:
            return
        state, validators = found
        scope, held = scope_of(state, self.scope), self.copy.position()
        begins = decide(state, self.scope, held, self.copy.get("head") or 0, self._fresh)
        at = self._begin(state, held, report) if begins or held is None else held
        proof = state.proofs.get(self.scope)
        if at.seq == scope.head and at.chain != scope.chain:
            contradict(f"{self.scope} seq {at.seq}: chain", scope.chain, at.chain)
        if proof is not None and at.seq == proof.seq:
            self._prove(state, at, proof, report)
        while (url := next_document(state, self.scope, at)) is not None:
            for part in self._parts(self._changes_in(url, state, at), proof):
                to = Position(at.gen, part[-1].change.seq, part[-1].chain)
                self.copy.apply(at, to, part)
                at = to
                report.applied += len(part)
                if proof is not None and at.seq == proof.seq:
                    self._prove(state, at, proof, report)
        if verify:
            self._mend(state, at, report)
        self.copy.set(head=max(scope.head, self.copy.get("head") or 0), validators=validators)

    def _state(self, is_conditional: bool) -> Optional[Tuple[State, Dict[str, str]]]:
        """state.json with the headers that make the next poll conditional; None where it is as at the last pass."""
        held = self.copy.get("validators") if is_conditional else None
        known = self.copy.get("state_url")
        addresses = [known] if known in self._addresses else self._addresses
        for url in addresses:
            try:
                answer = self.downloads.get(url, self._fresh, held if url == known else None)
            except Unsettled as missing:
                if url != addresses[-1]:
                    continue
                raise Unreachable(f"no feeds: expected {' or '.join(addresses)}: {missing}") from missing
            if answer.body is None:
                return None
            state = parse_state(answer.body, url)
            trust = check_state(state.members, self.copy.get("trust"), self._key, partial(self._read_below, url))
            self.copy.set(trust=trust, state_url=url)
            return state, answer.validators
        raise AssertionError("addresses: expected at least one")

    def _read_below(self, base: str, path: str) -> bytes:
        return self._read(address_of(path, base))

    def _read(self, url: str) -> bytes:
        return self.downloads.get(url, self._fresh).body or b""

    def _changes_in(self, url: str, state: State, at: Position) -> List[Checked]:
        scope = scope_of(state, self.scope)
        return check_document(parse_atom(self._read(url)), self.scope, at, {scope.head: scope.chain})

    def _parts(self, checked: List[Checked], proof: Optional[Proof]) -> List[List[Checked]]:
        """The changes, split behind the mark if it lies among them, so that the state at it can be proved."""
        end = sum(proof is not None and change.seq <= proof.seq for change, _chain in checked)
        if end in (0, len(checked)):
            return [checked]
        require_successors(checked[:end], self.scope)
        return [checked[:end], checked[end:]]

    # Beginning and repair: rows are staged, proved, and then replace those of the copy in one transaction.

    def _begin(self, state: State, held: Optional[Position], report: Report) -> Position:
        scope, place = scope_of(state, self.scope), start_of(state, self.scope)
        if isinstance(place, Position) and held is None:
            self.copy.begin(place)
            report.restart = "zero"
            return place
        manifest = self._manifest(state)
        start = None if manifest is None else self._start(manifest)
        to = self._stage(state, manifest, ALL, scope.head if start is None else start.seq)
        count, root = self.copy.count("staged"), root_of(self.copy.buckets("staged"))
        if start is not None and (root, count) != (start.root, start.count):
            self.copy.clear_staged()
            contradict(f"{self.scope} seq {to.seq}: snapshot", f"{start.root} of {start.count}", f"{root} of {count}")
        if to.seq == scope.head and to.chain != scope.chain:
            contradict(f"{self.scope} seq {to.seq}: chain", scope.chain, to.chain)
        if held is not None and held.gen != state.gen:
            self._hold(state.gen, count)
        self.copy.adopt(held, to)
        if start is not None:
            self.copy.set(proved={"seq": to.seq, "root": root})
        report.restart = "zero" if start is None else "snapshot"
        return to

    def _hold(self, gen: str, count: int) -> None:
        share = HELD_BELOW_UNSIGNED if self.copy.get("trust") is None else HELD_BELOW_SIGNED
        held = self.copy.count()
        if count < held * share and self._accept != gen:
            raise Held(f"generation {gen} has {count} items, the copy {held}: accept it by --accept-generation {gen}")

    def _manifest(self, state: State) -> Optional[Manifest]:
        link = state.snapshot
        return None if link is None else parse_manifest(self._read(link.url), link, state.gen)

    def _start(self, manifest: Manifest) -> Start:
        if self.scope not in manifest.starts:
            contradict("manifest: scopes", self.scope, ", ".join(manifest.starts)[:500])
        return manifest.starts[self.scope]

    def _stage(self, state: State, manifest: Optional[Manifest], buckets: Set[int], upto: int) -> Position:
        """Stages the state of some buckets at a number: from the snapshot, or from nothing, and the changes since."""
        scope = scope_of(state, self.scope)
        at = zero_of(state.gen, self.scope)
        if manifest is not None:
            start = self._start(manifest)
            at = Position(state.gen, start.seq, start.chain)
        if not scope.floor <= at.seq <= upto:
            unsettle(f"{self.scope}: snapshot", f"one from {scope.floor} to {upto}", at.seq if manifest else "none")
        if manifest is None or buckets != ALL:
            self.copy.clear_staged()
        for shard in [] if manifest is None else manifest.shards:
            # A pass that ended early left its shards.
            if shard.bucket in buckets and self.copy.staged_shard(shard.bucket) != shard.sha:
                self.copy.stage_shard(shard.bucket, shard.sha, shard_rows(self._read(shard.url), shard, self.scope))
        while at.seq < upto and (url := next_document(state, self.scope, at)) is not None:
            checked = [each for each in self._changes_in(url, state, at) if each.change.seq <= upto]
            require_successors(checked, self.scope)
            self.copy.stage_changes(checked, buckets)
            at = Position(at.gen, checked[-1].change.seq, checked[-1].chain)
        return at

    def _remake(self, state: State, at: Position, buckets: Set[int]) -> None:
        to = self._stage(state, self._manifest(state), buckets, at.seq)
        if to != at:
            contradict(f"{self.scope} seq {at.seq}: chain", at.chain, to.chain)

    def _prove(self, state: State, at: Position, proof: Proof, report: Report) -> None:
        """Compares roots at a mark, and makes the buckets again that differ."""
        local = self.copy.buckets()
        if root_of(local) != proof.root:
            remote = parse_digest(self._read(proof.url), proof.url, proof.root)
            differing = {bucket for bucket in ALL if local[bucket] != remote[bucket]}
            self._remake(state, at, differing)
            staged = self.copy.buckets("staged")
            wrong = [bucket for bucket in differing if staged[bucket] != remote[bucket]]
            if wrong:
                self.copy.clear_staged()
                expected, found = remote[wrong[0]].hex(), staged[wrong[0]].hex()
                contradict(f"{self.scope} seq {at.seq}: hash of bucket {wrong[0]}", expected, found)
            self.copy.adopt_buckets(at, differing)
            report.repaired += len(differing)
        self.copy.set(proved={"seq": at.seq, "root": proof.root})

    def _mend(self, state: State, at: Position, report: Report) -> None:
        """Makes the buckets again whose texts no longer have their hashes; the chain proves their changes."""
        rotten = self.copy.rotten()
        if rotten:
            self._remake(state, at, rotten)
            self.copy.adopt_buckets(at, rotten)
            report.repaired += len(rotten)
