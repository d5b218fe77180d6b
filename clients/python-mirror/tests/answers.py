"""Answers the test vectors of docs/mirror-vectors: a question as JSON on stdin, the answer as JSON on stdout."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from ccm_mirror import trust  # noqa: E402
from ccm_mirror.documents import Fields, Position, Shard, SnapshotLink, json_of  # noqa: E402
from ccm_mirror.documents import parse_digest, parse_manifest, parse_state  # noqa: E402
from ccm_mirror.errors import MirrorError, contradict  # noqa: E402
from ccm_mirror.feed import Change, Checked, check_change, check_document, parse_atom  # noqa: E402
from ccm_mirror.hashing import (  # noqa: E402
    BUCKETS, bucket_hash, bucket_of, canonical, chain_next, chain_start, root_of, sha256,
)
from ccm_mirror.sync import decide, next_document, shard_rows, start_of  # noqa: E402

Answer = Dict[str, Any]
STATE_MEMBER = b',"state":'


def canonical_json(given: Answer) -> Answer:
    text = canonical(json_of(given["json"].encode(), "text"))
    return {"canonical": text, "sha256": sha256(text.encode()).hex()}


def chain(given: Answer) -> Answer:
    chains = [chain_start(given["gen"], given["scope"])]
    for change in given["changes"]:
        sha = bytes.fromhex(change.get("sha256", ""))
        chains.append(chain_next(chains[-1], change["seq"], change["op"], change["id"], sha))
    return {"chains": [each.hex() for each in chains]}


def _buckets(rows: Dict[str, str]) -> List[bytes]:
    by_bucket: List[List[Any]] = [[] for _ in range(BUCKETS)]
    for item in sorted(rows, key=str.encode):
        by_bucket[bucket_of(item)].append((item, bytes.fromhex(rows[item])))
    return [bucket_hash(each) for each in by_bucket]


def state_root(given: Answer) -> Answer:
    buckets = _buckets(given["rows"])
    filled = sorted({bucket_of(item) for item in given["rows"]})
    return {"state_root": root_of(buckets), "buckets": {str(n): buckets[n].hex() for n in filled}}


def digest(given: Answer) -> Answer:
    remote = parse_digest(given["text"].encode(), "digest", given["state_root"])
    local = _buckets(given["rows"])
    return {"differ": [n for n in range(BUCKETS) if local[n] != remote[n]]}


def _copy_after(given: Answer, checked: List[Checked]) -> Answer:
    rows = dict(given["rows"])
    for change, _chain in checked:
        if change.op != "upsert" and not change.is_superseded:
            rows.pop(change.item, None)
        elif not change.is_superseded:
            rows[change.item] = change.sha
    last = checked[-1]
    return {"position": {**given["position"], "seq": last.change.seq, "chain": last.chain}, "rows": rows}


def atom(given: Answer) -> Answer:
    head = given["head"]
    document = parse_atom(given["text"].encode())
    at = Position(**given["position"])
    return _copy_after(given, check_document(document, given["scope"], at, {head["seq"]: head["chain"]}))


def ndjson(given: Answer) -> Answer:
    seq, chain_before, checked = given["position"]["seq"], given["position"]["chain"], []
    for line in given["text"].encode().splitlines():
        fields = Fields(json_of(line, "line"), "line")
        seq += 1
        fields.number("seq", seq, seq)
        is_upsert = fields.text("op") == "upsert"
        # The state comes last, in its own bytes: to parse it and to write it again could give others.
        state = line.partition(STATE_MEMBER)[2][:-1] if is_upsert else None
        sha = fields.hash("sha256") if is_upsert else ""
        change = Change(seq, fields.text("op"), fields.text("id"), sha, state, False)
        chain_before = check_change(change, given["scope"], chain_before)
        if chain_before != fields.hash("chain"):
            contradict("chain", fields.hash("chain"), chain_before)
        checked.append(Checked(change, chain_before))
    return _copy_after(given, checked)


def state(given: Answer) -> Answer:
    found, held, scope = parse_state(given["text"].encode(), given["url"]), given["held"], given["scope"]
    at = None if held is None else Position(held["gen"], held["seq"], held["chain"])
    if decide(found, scope, at, held["head"] if held else 0, fresh=True) or at is None:
        start = start_of(found, scope)
        return {"do": "begin", "chain": start.chain} if isinstance(start, Position) else {"do": "begin", "url": start.url}
    url = next_document(found, scope, at)
    return {"do": "nothing"} if url is None else {"do": "read", "url": url}


def manifest(given: Answer) -> Answer:
    link = SnapshotLink(given["snapshot"]["seq"], given["url"], given["snapshot"]["sha256"])
    start = parse_manifest(given["text"].encode(), link, given["gen"]).starts[given["scope"]]
    return {"seq": start.seq, "chain": start.chain, "count": start.count, "state_root": start.root}


def shard(given: Answer) -> Answer:
    entry = given["shard"]
    about = Shard(entry["bucket"], entry["file"], entry["count"], entry["sha256"])
    rows = shard_rows(base64.b64decode(given["gzip"]), about, given["scope"])
    return {"rows": {item: sha for item, _bucket, sha, _state in rows}}


def signature_of_bytes(given: Answer) -> Answer:
    key, message, signature = (bytes.fromhex(given[name]) for name in ("public_key", "message", "signature"))
    return {"valid": trust.verify(key, message, signature)}


def signature(given: Answer) -> Answer:
    members = json_of(given["text"].encode(), "document")
    keys = {name: {"public_key": text} for name, text in given["public_keys"].items()}
    by = sorted(trust.signers(given["kind"], members, members.get("signatures"), keys))
    return {"signed_by": by} if by else {"refused": "no right signature"}


def keys(given: Answer) -> Answer:
    listed = trust.parse_keys(given["text"].encode(), given["catalog"])
    named = {name: listed[name] for name in given["trusted"] if name in listed}
    return {"trusted": sorted(trust.endorsed(named, listed, given["catalog"]))}


def trust_of(given: Answer) -> Answer:
    members, pinned = json_of(given["text"].encode(), "state.json"), given["pinned"]
    known = pinned and {**pinned, "keys": {name: {"public_key": text} for name, text in pinned["keys"].items()}}
    after = trust.check_state(members, known, None, lambda _path: str(given["keys"]).encode())
    trust.require_current(after, trust.instant(given["now"]))
    if after is None:
        return {"keys": []}
    return {"keys": sorted(trust.signers("state", members, members["signatures"], after["keys"]))}


SUBJECTS: Dict[str, Callable[[Answer], Answer]] = {
    "canonical-json": canonical_json, "chain": chain, "state-root": state_root, "digest": digest, "atom": atom,
    "ndjson": ndjson, "state": state, "manifest": manifest, "shard": shard, "ed25519": signature_of_bytes,
    "signature": signature, "keys": keys, "trust": trust_of,
}


def answer(question: Answer) -> Answer:
    """The answer of this client to a question of the vectors."""
    try:
        return SUBJECTS[question["subject"]](question["input"])
    except (MirrorError, ValueError) as error:
        return {"refused": str(error)}


if __name__ == "__main__":
    print(json.dumps(answer(json.loads(sys.stdin.buffer.read()))))
