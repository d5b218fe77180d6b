"""Adjusts generated valid requests to rules that the document cannot express; invalid ones stay as generated.

A cursor is valid only if the service issued it for the same filters. Price bounds need a currency, and the upper bound must
not lie below the lower one. A feed without since has at most 100 entries. An order by price needs a currency, a GTIN has a
check digit, a reference a digit, and ids come without a filter. A text to search for has two characters without blanks around,
and a parameter comes by one of its names. A filter by an unknown id answers 404 whatever the other parameters, so every second
one goes; the bounds of a parent are not published. A list of lines takes the members that it names and no others.

A machine that is busy with other work sheds load: 503 `overloaded` with Retry-After, as the document says. That is no fault of
the contract; without Retry-After, or with any other error, it is one.
"""

import schemathesis

READER_ENTRIES_MAX = 100
BOUNDS = [("price_min", "price_max"), ("from", "to")]
IDS_BESIDE = {"ids", "limit", "price_region", "lang", "fields"}
IDS = {"category_id": "cat_", "category": "cat_", "parent": "cat_", "source": "src_"}


LIST_MEMBERS = {"lines", "region", "price_region", "lang", "alternatives"}
LINE_MEMBERS = {"text", "unit", "quantity", "region"}


def keep_known(members, known):
    for name in set(members) - known:
        del members[name]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    is_shed = response.status_code == 503 and "retry-after" in response.headers and '"error":"overloaded"' in response.text
    return not (is_shed and type(failure).__name__ == "ServerError")


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.path == "/match" and isinstance(case.body, dict):
        keep_known(case.body, LIST_MEMBERS)
        for line in case.body.get("lines", []):
            keep_known(line, LINE_MEMBERS)
    if not case.query:
        return
    query = case.query
    if not 1 <= len(str(query.get("parent", "cat_a"))) <= 100:
        del query["parent"]
    query.pop("cursor", None)
    for low, high in BOUNDS:
        if low in query and high in query:
            query[high] = query[low]
    if case.path.startswith("/feeds/") and "limit" in query and "since" not in query:
        query["limit"] = min(int(query["limit"]), READER_ENTRIES_MAX)
    if "gtin" in query:
        query["gtin"] = "4006381333931"
    if "manufacturer_ref" in query:
        query["manufacturer_ref"] = "DHP482Z"
    if "ids" in query:
        for name in [name for name in query if name not in IDS_BESIDE]:
            del query[name]
    if "category_id" in query:
        query.pop("category", None)
    if len(str(query.get("q", "cement")).strip()) < 2:
        query["q"] = "cement"
    if "price_min" in query or "price_max" in query or str(query.get("sort")).endswith("price"):
        query.setdefault("currency", "EUR")
    for name, prefix in IDS.items():
        value = str(query.get(name, ""))
        if value and not value.startswith(prefix) and len(value) % 2 == 1:
            del query[name]
