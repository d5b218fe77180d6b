"""Why a pass ended before the copy was current. Rows and position stay as the last commit left them."""

from __future__ import annotations

from typing import NoReturn


class MirrorError(Exception):
    """The base of all errors below; `kind` is its name for machines."""

    kind = "error"


class Unreachable(MirrorError):
    """The origin did not answer within all attempts."""

    kind = "unreachable"


class Unsettled(MirrorError):
    """Documents do not fit together yet: a stale cache, or an origin that moved on. A later pass may succeed."""

    kind = "unsettled"


class Contradiction(MirrorError):
    """A document is wrong. Waiting does not help once it was read past every cache."""

    kind = "contradiction"


class Held(MirrorError):
    """The new state would replace the copy by less; a person accepts it or asks the origin's operator."""

    kind = "held"


def contradict(what: str, expected: object, found: object) -> NoReturn:
    """Refuses a value, with its place, the expectation and what was there."""
    raise Contradiction(f"{what}: expected {expected}, found {found}")


def unsettle(what: str, expected: object, found: object) -> NoReturn:
    """As `contradict`, for a value that a later answer may mend."""
    raise Unsettled(f"{what}: expected {expected}, found {found}")
