"""A copy of one scope in SQLite: its rows and its position change in the same transaction."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from typing import Any, Iterable, Iterator, List, Optional, Set, Tuple

from .documents import Position
from .errors import MirrorError, Unsettled
from .feed import Checked
from .hashing import BUCKETS, bucket_hash, bucket_of, sha256

APPLICATION_ID = 0x63636D31  # ccm1
BUSY_SECONDS = 10.0
ROWS_A_READ = 1000

COLUMNS = "(id text primary key, bucket integer not null, sha256 text not null, state text not null)"
SCHEMA = f"""
create table if not exists items {COLUMNS};
create index if not exists items_bucket on items (bucket, id);
create table if not exists staged {COLUMNS};
create index if not exists staged_bucket on staged (bucket, id);
create table if not exists staged_shards (bucket integer primary key, sha256 text not null);
create table if not exists meta (name text primary key, value text not null);
"""
Row = Tuple[str, int, str, str]


class Copy:
    """Law: at every instant, and after a crash, the rows of `items` are the origin's state at the position."""

    def __init__(self, path: str, scope: str) -> None:
        self._db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            self._open(path, scope)
        except BaseException:
            self._db.close()
            raise

    def _open(self, path: str, scope: str) -> None:
        (application,) = self._db.execute("pragma application_id").fetchone()
        (tables,) = self._db.execute("select count(*) from sqlite_master").fetchone()
        if application != APPLICATION_ID and tables > 0:
            raise MirrorError(f"{path}: expected a copy of this client, found another database")
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        with self._transaction():
            self._db.execute(f"pragma application_id = {APPLICATION_ID}")
            for statement in filter(str.strip, SCHEMA.split(";")):
                self._db.execute(statement)
            held = self.get("scope")
            if held is None:
                self._set("scope", scope)
            elif held != scope:
                raise MirrorError(f"{path}: expected a copy of {scope}, found one of {held}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
            self._db.execute("commit")
        except BaseException:
            self._db.execute("rollback")
            raise

    def close(self) -> None:
        self._db.close()

    def get(self, name: str) -> Any:
        """A value kept beside the rows; None where there is none."""
        found = self._db.execute("select value from meta where name = ?", [name]).fetchone()
        try:
            return None if found is None else json.loads(found[0])
        except (TypeError, ValueError) as error:
            raise sqlite3.DatabaseError(f"meta {name}: {error}") from error

    def set(self, **values: Any) -> None:
        """Keeps values in one transaction."""
        with self._transaction():
            for name, value in values.items():
                self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        self._db.execute("insert or replace into meta values (?, ?)", [name, json.dumps(value)])

    def position(self) -> Optional[Position]:
        """None before the first pass."""
        found = self.get("position")
        return None if found is None else Position(*found)

    def _require(self, at: Optional[Position]) -> None:
        if self.position() != at:
            raise Unsettled(f"another process moved the copy from {at} to {self.position()}")

    def apply(self, at: Position, to: Position, checked: Iterable[Checked]) -> None:
        """Applies changes in their order and moves the position."""
        with self._transaction():
            self._require(at)
            self._change("items", checked, set(range(BUCKETS)))
            self._set("position", to)

    def begin(self, at: Position) -> None:
        """Places an empty copy."""
        with self._transaction():
            self._require(None)
            self._set("position", at)

    def _change(self, table: str, checked: Iterable[Checked], buckets: Set[int]) -> None:
        for change, _chain in checked:
            bucket = bucket_of(change.item)
            if change.is_superseded or bucket not in buckets:
                continue
            if change.state is None:
                self._db.execute(f"delete from {table} where id = ?", [change.item])
            else:
                row = (change.item, bucket, change.sha, change.state.decode())
                self._db.execute(f"insert or replace into {table} values (?, ?, ?, ?)", row)

    def count(self, table: str = "items") -> int:
        (count,) = self._db.execute(f"select count(*) from {table}").fetchone()
        return int(count)

    def buckets(self, table: str = "items") -> List[bytes]:
        """The 256 hashes, one bucket at a time, so that memory stays bounded."""
        # SQLite compares text by its UTF-8 bytes, as the protocol does.
        query = f"select id, sha256 from {table} where bucket = ? order by id"
        return [
            bucket_hash((item, _bytes(sha)) for item, sha in self._db.execute(query, [bucket]))
            for bucket in range(BUCKETS)
        ]

    def items(self) -> Iterator[Tuple[str, str]]:
        """Ids with their public states, in the order of ids."""
        after = ""
        while True:
            query = "select id, state from items where id > ? order by id limit ?"
            rows = self._db.execute(query, [after, ROWS_A_READ]).fetchall()
            yield from rows
            if len(rows) < ROWS_A_READ:
                return
            after = rows[-1][0]

    def rotten(self) -> Set[int]:
        """The buckets with a row whose text has another hash or another place than the row says."""
        return {
            where
            for item, bucket, sha, state in self._db.execute("select id, bucket, sha256, state from items")
            if sha256(str(state).encode("utf-8", "surrogatepass")).hex() != sha or bucket_of(item) != bucket
            for where in (bucket, bucket_of(item))
            if where in range(BUCKETS)
        }

    # Rows on their way in. They survive a crash, and nothing reads them before they are proved.

    def clear_staged(self) -> None:
        with self._transaction():
            self._clear_staged()

    def _clear_staged(self) -> None:
        self._db.execute("delete from staged")
        self._db.execute("delete from staged_shards")

    def staged_shard(self, bucket: int) -> Optional[str]:
        """SHA-256 of the shard file whose rows are staged."""
        found = self._db.execute("select sha256 from staged_shards where bucket = ?", [bucket]).fetchone()
        return None if found is None else str(found[0])

    def stage_shard(self, bucket: int, sha: str, rows: Iterable[Row]) -> None:
        with self._transaction():
            self._db.execute("delete from staged where bucket = ?", [bucket])
            self._db.executemany("insert into staged values (?, ?, ?, ?)", rows)
            self._db.execute("insert or replace into staged_shards values (?, ?)", [bucket, sha])

    def stage_changes(self, checked: Iterable[Checked], buckets: Set[int]) -> None:
        """Applies changes to staged rows, which are no shard's any more."""
        with self._transaction():
            self._db.execute("delete from staged_shards")
            self._change("staged", checked, buckets)

    def adopt(self, at: Optional[Position], to: Position) -> None:
        """Replaces all rows by the staged ones, and the position."""
        with self._transaction():
            self._require(at)
            self._db.execute("delete from items")
            self._db.execute("insert into items select * from staged")
            self._set("position", to)
            self._set("proved", None)
            self._set("head", 0)
            self._clear_staged()

    def adopt_buckets(self, at: Position, buckets: Iterable[int]) -> None:
        """Replaces the rows of these buckets by the staged ones; the position stays."""
        with self._transaction():
            self._require(at)
            for bucket in buckets:
                self._db.execute("delete from items where bucket = ?", [bucket])
                self._db.execute("insert or replace into items select * from staged where bucket = ?", [bucket])
            self._clear_staged()


def _bytes(sha: str) -> bytes:
    """A hash of the file, which may be damaged: other bytes then give another root, and the bucket is made again."""
    try:
        return bytes.fromhex(sha)
    except (TypeError, ValueError):
        return b""
