"""The client against the test vectors of the protocol."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from answers import SUBJECTS, answer

VECTORS = Path(__file__).resolve().parents[3] / "docs" / "mirror-vectors"


class Vectors(unittest.TestCase):
    def test_each_is_answered_as_expected(self) -> None:
        subjects = sorted(path.stem for path in VECTORS.glob("*.json"))
        self.assertEqual(subjects, sorted(SUBJECTS))
        for subject in subjects:
            for vector in json.loads((VECTORS / f"{subject}.json").read_text(encoding="utf-8"))["vectors"]:
                with self.subTest(subject=subject, vector=vector["name"]):
                    found = answer({"subject": subject, "input": vector["input"]})
                    if "refused" in vector:
                        self.assertIn("refused", found)
                    else:
                        self.assertEqual(found, vector["expected"])


if __name__ == "__main__":
    unittest.main()
