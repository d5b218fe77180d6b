"""Client of a Construction Cost Catalog."""

from .changes import Change, ItemState, Position
from .client import Catalog
from .errors import CatalogError
from .retry import RetryLimits

__all__ = ["Catalog", "CatalogError", "Change", "ItemState", "Position", "RetryLimits"]
