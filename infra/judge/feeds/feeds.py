"""Parses feeds with feedparser and prints a line of JSON for each. Arguments: pairs of file and media type.

feedparser takes the encoding from the media type, as it would from the answer of a server.
"""

import json
import sys

import feedparser

for path, content_type in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(path, "rb") as file:
        feed = feedparser.parse(file.read(), response_headers={"content-type": content_type})
    problem = feed.get("bozo_exception")
    print(
        json.dumps(
            {
                "problem": str(problem) if problem else ("bozo" if feed.bozo else None),
                "version": feed.version,
                "self": next((link.href for link in feed.feed.get("links", []) if link.rel == "self"), None),
                "entries": [
                    {
                        "id": entry.get("id"),
                        "updated": entry.get("updated"),
                        "dated": bool(entry.get("updated_parsed") or entry.get("published_parsed")),
                    }
                    for entry in feed.entries
                ],
            }
        )
    )
