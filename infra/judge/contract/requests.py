"""What the document cannot say of the requests that shall be accepted; those that shall be refused stay as they were drawn.

A cursor is valid only where the service gave it out, for the same filters. Bounds of a price need its currency, and the
upper bound of two is not below the lower one. A filter by an id that nobody gave out is answered with 404 whatever stands
beside it, so every other such id goes.
"""

import schemathesis

BOUNDS = [("price_min", "price_max"), ("from", "to")]
IDS = {"category_id": "cat_", "parent": "cat_", "source": "src_"}


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive or not case.query:
        return
    query = case.query
    query.pop("cursor", None)
    for low, high in BOUNDS:
        if low in query and high in query:
            query[high] = query[low]
    if "price_min" in query or "price_max" in query:
        query.setdefault("currency", "EUR")
    for name, prefix in IDS.items():
        value = str(query.get(name, ""))
        if value and not value.startswith(prefix) and len(value) % 2 == 1:
            del query[name]
