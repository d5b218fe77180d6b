"""A mirror of a Construction Cost Catalog: a proven copy of one scope in SQLite, by protocol ccm/1."""

from .copy import Copy
from .documents import Position
from .downloads import Downloads, Limits
from .errors import Contradiction, Held, MirrorError, Unreachable, Unsettled
from .sync import Mirror, Report

__all__ = [
    "Contradiction", "Copy", "Downloads", "Held", "Limits", "Mirror", "MirrorError", "Position", "Report",
    "Unreachable", "Unsettled",
]
