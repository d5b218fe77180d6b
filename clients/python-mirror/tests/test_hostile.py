"""Answers that an honest origin never gives."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import sqlite3
import tempfile
import unittest
import zlib
from pathlib import Path

import answers  # noqa: F401  It names the folder of the package.
from ccm_mirror import Contradiction, Copy, MirrorError, Position
from ccm_mirror.__main__ import main
from ccm_mirror.documents import address_of, json_of, parse_state
from ccm_mirror.downloads import Refused, unpacked
from ccm_mirror.feed import Change, Checked, parse_atom
from ccm_mirror.trust import signers


class Bodies(unittest.TestCase):
    def test_a_bomb_is_unpacked_to_the_limit_alone(self) -> None:
        with self.assertRaisesRegex(Refused, "more than 1000000 bytes"):
            for _ in unpacked(iter([gzip.compress(bytes(50_000_000))]), 1_000_000):
                pass

    def test_broken_gzip_is_an_error(self) -> None:
        packed = gzip.compress(b"text")
        for wrong in (packed[:-1], packed + b"more", b"no gzip", b""):
            with self.assertRaises(zlib.error):
                b"".join(unpacked(iter([wrong]), 1000))
        self.assertEqual(b"".join(unpacked(iter([packed[:9], packed[9:]]), 1000)), b"text")

    def test_depth_numbers_and_bytes_are_no_crash(self) -> None:
        for data in (b"[" * 200_000, b"NaN", b"\xff", b"", b'{"a":1e999}{'):
            with self.assertRaises(Contradiction):
                json_of(data, "document")
        for data in (b"<a>" * 100, b"\xff", b"<!DOCTYPE a><a/>", b"<feed/>"):
            with self.assertRaises(Contradiction):
                parse_atom(data)
        with self.assertRaises(Contradiction):
            parse_state(b"[]", "https://host.example/state.json")

    def test_documents_without_canonical_json_have_no_signature(self) -> None:
        signatures = [{"key": "k", "signature": "AAAA"}]
        for value in (float("inf"), 10**400, "\ud800"):
            members = {"value": value, "signatures": signatures}
            self.assertEqual(list(signers("state", members, signatures, {"k": {"public_key": "AAAA"}})), [])

    def test_addresses_stay_below_the_folder(self) -> None:
        base = "https://host.example/v1/feeds/state.json"
        self.assertEqual(address_of("region/ES", base), "https://host.example/v1/feeds/region/ES")
        for path in ("/x", "../x", "a/../../x", "//other/x", "https://other/x", "file:///x", "x?y", "x#y", "", "x\\y", "%2e%2e/x"):
            with self.assertRaises(Contradiction):
                address_of(path, base)


class Copies(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name) / "copy.db")

    def test_a_failed_change_leaves_rows_and_position(self) -> None:
        copy = Copy(self.path, "items")
        at = Position("g", 0, "00")
        copy.begin(at)
        right = Checked(Change(1, "upsert", "ci_a", "aa", b"{}", False), "01")
        wrong = Checked(Change(2, "upsert", "ci_b", "bb", b"\xff", False), "02")
        with self.assertRaises(UnicodeDecodeError):
            copy.apply(at, Position("g", 2, "02"), [right, wrong])
        self.assertEqual((copy.position(), list(copy.items())), (at, []))
        copy.close()

    def test_another_scope_and_another_database_are_refused(self) -> None:
        Copy(self.path, "items").close()
        with self.assertRaisesRegex(MirrorError, "expected a copy of region/ES, found one of items"):
            Copy(self.path, "region/ES")
        other = sqlite3.connect(f"{self.path}2")
        other.execute("create table mine (a)")
        other.close()
        with self.assertRaisesRegex(MirrorError, "found another database"):
            Copy(f"{self.path}2", "items")

    def test_a_damaged_file_is_named_as_such(self) -> None:
        Path(self.path).write_bytes(b"no database" * 1000)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(main(["http://127.0.0.1:1", self.path, "--json"]), 1)
        self.assertEqual(json.loads(said.getvalue())["error"], "damaged")
        self.assertEqual(Path(self.path).read_bytes()[:11], b"no database")


if __name__ == "__main__":
    unittest.main()
