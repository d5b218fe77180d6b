"""Checks an implementation of ccm/1 by the test vectors beside this file: python3 check.py [--only SUBJECT] COMMAND ...

For each vector the command runs once. It reads {"subject": ..., "input": ...} on stdin and writes its answer as JSON on stdout:
what the file's `answer` describes, or {"refused": REASON} with words of its own. README.md says more.
"""
import argparse
import json
import pathlib
import subprocess
import sys

TIMEOUT_SECONDS = 60


def answer_of(command, question):
    """The command's answer, or a text that says why there is none."""
    try:
        done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, encoding="utf-8",
                              timeout=TIMEOUT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return f"exit code {done.returncode}, no JSON on stdout: {done.stdout[:200]!r} {done.stderr[-500:]}"


def is_right(vector, answer):
    """Whether the answer is the expected one; any words may say why a vector is refused."""
    if "refused" in vector:
        return isinstance(answer, dict) and isinstance(answer.get("refused"), str)
    return answer == vector["expected"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="SUBJECT", help="one file's vectors alone")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if not given.command:
        parser.error("expected a command")
    wrong = asked = 0
    for path in sorted(pathlib.Path(__file__).resolve().parent.glob("*.json")):
        if given.only not in (None, path.stem):
            continue
        for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
            answer = answer_of(given.command, {"subject": path.stem, "input": vector["input"]})
            asked += 1
            if is_right(vector, answer):
                continue
            wrong += 1
            expected = vector.get("expected", f"refused: {vector.get('refused')}")
            print(f"{path.stem}: {vector['name']}\n  expected {json.dumps(expected)[:2000]}\n  found    {json.dumps(answer)[:2000]}")
    print(f"{asked - wrong} of {asked} vectors are right")
    return 0 if asked > 0 and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
