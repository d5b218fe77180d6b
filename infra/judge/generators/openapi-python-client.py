"""The five calls by the client of openapi-python-client."""

import sys

from client import Client
from client.api.categories import list_categories
from client.api.feeds import get_region_atom
from client.api.items import get_item, list_items
from client.api.search import search
from client.models import CanonicalItemMedianPriceType0 as MedianPrice
from client.models import ExtendedItemDetailResponse as Detail
from client.models import ExtendedListItemsResponse as Page
from client.models import ExtendedListItemsResponseTotal as Total
from client.models import ExtendedSearchResponse as Found
from client.models import GetRegionAtomRegion, ListItemsKind, ListItemsRegion, ListItemsSort
from client.models import ListCategoriesResponse as Tree

client = Client(sys.argv[1], raise_on_unexpected_status=True)


page = list_items.sync(
    client=client, region=ListItemsRegion.ES, kind=ListItemsKind.MATERIAL, sort=ListItemsSort.UPDATED_DESC, include="total", limit=3
)
assert isinstance(page, Page) and isinstance(page.total, Total)
id = page.items[0].id
print("listItems", page.total.count, len(page.items), id)

detail = get_item.sync(id, client=client)
assert isinstance(detail, Detail) and isinstance(detail.item.median_price, MedianPrice)
print("getItem", detail.item.id, detail.item.median_price.cents, len(detail.vendors))

found = search.sync(client=client, q="cement 25 kg", limit=3)
assert isinstance(found, Found)
print("search", found.mode, len(found.results), found.results[0].id)

tree = list_categories.sync(client=client, limit=3)
assert isinstance(tree, Tree)
print("listCategories", len(tree.categories), tree.categories[0].id)

feed = get_region_atom.sync(GetRegionAtomRegion.ES, client=client, limit=3)
assert isinstance(feed, str)
print("getRegionAtom", len(feed.split("<entry>")))
