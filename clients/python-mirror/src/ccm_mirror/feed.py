"""Atom documents of ccm/1, read and checked against the position of a copy."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Dict, List, NamedTuple, Optional

from .documents import HASH, Position
from .errors import contradict, unsettle
from .hashing import chain_next, sha256

ATOM = "{http://www.w3.org/2005/Atom}"
AT = "{http://purl.org/atompub/tombstones/1.0}"
CCM = "{urn:construction-cost-catalog:ccm:1}"
TAG = ":item/"
OPS = ("upsert", "delete", "leave")


class Change(NamedTuple):
    """A change as its document states it; `state` is None for what removes the item and for superseded changes."""

    seq: int
    op: str
    item: str
    sha: str
    state: Optional[bytes]
    is_superseded: bool


class Document(NamedTuple):
    gen: str
    scope: str
    first: int
    last: int
    chain: str
    changes: List[Change]


class Checked(NamedTuple):
    """A change that fits the copy, with the chain after it."""

    change: Change
    chain: str


def parse_atom(data: bytes) -> Document:
    """An Atom document of the protocol. Raises Contradiction for anything else."""
    try:
        text = data.decode()
        # Feeds need no entities of their own, and their expansion has no bound.
        if "<!DOCTYPE" in text:
            raise ValueError("a document type")
        feed = ElementTree.fromstring(text)
    except (ValueError, ElementTree.ParseError, RecursionError) as error:
        contradict("document", "Atom", error)
    changes: List[Change] = []
    for e in feed.iterfind(f"{ATOM}entry"):
        item = _tagged(e.findtext(f"{ATOM}id"))
        changes.append(_change(_text(e, "seq"), _text(e, "op"), item, _text(e, "sha256"), _text(e, "state")))
    for e in feed.iterfind(f"{AT}deleted-entry"):
        changes.append(_change(_text(e, "seq"), _text(e, "op"), _tagged(e.get("ref"))))
    for e in feed.iterfind(f"{CCM}superseded"):
        change = _change(e.get("seq", ""), e.get("op", ""), e.get("id", ""), e.get("sha256", ""))
        changes.append(change._replace(is_superseded=True))
    head = [_number(_text(feed, name)) for name in ("first", "last")]
    return Document(_text(feed, "gen"), _text(feed, "scope"), head[0], head[1], _text(feed, "chain"), changes)


def _text(parent: ElementTree.Element, name: str) -> str:
    found = parent.findall(CCM + name)
    if len(found) != 1 or len(found[0]) > 0:
        contradict("document", f"one element {name} with text", len(found))
    return found[0].text or ""


def _tagged(tag: Optional[str]) -> str:
    # An entry has the id tag:HOST,2026:item/ci_…; hashes and rows have the id alone.
    if tag is None or TAG not in tag:
        contradict("document", "the tag of an item", tag)
    return tag.rpartition(TAG)[2]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16):
        contradict("document", "a whole number", repr(text[:40]))
    return int(text)


def _change(seq: str, op: str, item: str, sha: str = "", state: Optional[str] = None) -> Change:
    if op not in OPS or (state is not None and op != "upsert"):
        contradict(f"seq {seq[:20]}: op", "one of upsert, delete and leave in its element", repr(op[:40]))
    if not item or "\0" in item or (op == "upsert" and not HASH.match(sha)):
        contradict(f"seq {seq[:20]}", "an id and a hash", f"{item[:80]!r} and {sha[:80]!r}")
    return Change(_number(seq), op, item, sha, None if state is None else state.encode(), False)


def check_document(document: Document, scope: str, at: Position, chains: Dict[int, str]) -> List[Checked]:
    """
    The changes after the position, ascending. Raises Unsettled where another answer may fit, and Contradiction unless
    every number comes once, every state has its hash, and the chain is the document's and each of `chains`, by seq.
    """
    if document.gen != at.gen:
        unsettle(f"{scope} seq {at.seq + 1}: gen of the document", at.gen, document.gen)
    if document.scope != scope:
        contradict(f"{scope} seq {at.seq + 1}: scope of the document", scope, document.scope)
    if not document.first <= at.seq + 1 <= document.last:
        found = f"{document.first} to {document.last}"
        unsettle(f"{scope} seq {at.seq + 1}: numbers of the document", f"{at.seq + 1} in it", found)
    by_seq = {change.seq: change for change in document.changes}
    outside = [seq for seq in by_seq if not document.first <= seq <= document.last]
    if len(by_seq) != len(document.changes) or outside:
        expected = f"each of {document.first} to {document.last} once"
        contradict(f"{scope}: numbers of the document", expected, f"{len(document.changes)} changes")
    checked: List[Checked] = []
    chain = at.chain
    for seq in range(at.seq + 1, document.last + 1):
        change = by_seq.get(seq)
        if change is None:
            contradict(f"{scope} seq {seq}: change", seq, "none")
        chain = check_change(change, scope, chain)
        for known in (document.chain if seq == document.last else None, chains.get(seq)):
            if known is not None and known != chain:
                contradict(f"{scope} seq {seq}: chain from seq {at.seq}", known, chain)
        checked.append(Checked(change, chain))
    require_successors(checked, scope)
    return checked


def check_change(change: Change, scope: str, chain: str) -> str:
    """The chain after a change whose state has its hash."""
    where = f"{scope} seq {change.seq}"
    if change.state is not None and sha256(change.state).hex() != change.sha:
        contradict(f"{where}: sha256 of the state", change.sha, sha256(change.state).hex())
    return chain_next(bytes.fromhex(chain), change.seq, change.op, change.item, bytes.fromhex(change.sha)).hex()


def require_successors(checked: List[Checked], scope: str) -> None:
    """Refuses a superseded change without a later one of its item: the rest would not give the state at the end."""
    later = set()
    for change, _chain in reversed(checked):
        if change.is_superseded and change.item not in later:
            contradict(f"{scope} seq {change.seq}: superseded", f"a later change of {change.item}", "none")
        if not change.is_superseded:
            later.add(change.item)
