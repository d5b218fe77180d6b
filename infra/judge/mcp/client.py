"""Reads from an MCP endpoint with the Python client and prints the result as JSON in the last line (see clients.ts).

Arguments: endpoint, id of an item, words to search, vendors of a page, and 'auto' or 'legacy'. MCP_KEY holds the key. Without a key the client
uses OAuth (see oauth.ts): it prints an address for a person to open, and reads the address that the person is sent to. It
registers itself, or publishes its metadata at MCP_CLIENT_ID. At the end its token expires and it searches once more.
"""

import asyncio
import json
import os
import sys
from urllib.parse import parse_qs, urlsplit

from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

url, item, words, limit, mode = sys.argv[1:]
REDIRECT_URI = "http://127.0.0.1:33418/callback"


class TokenStorage:
    """Keeps the client registration and all tokens, newest last."""

    def __init__(self):
        self.tokens = []
        self.client = None

    async def get_tokens(self):
        return self.tokens[-1] if self.tokens else None

    async def set_tokens(self, tokens):
        self.tokens.append(tokens)

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


storage = TokenStorage()
printed = []


async def print_address(address):
    printed.append(address)
    print(address, flush=True)


async def read_answer():
    query = parse_qs(urlsplit(await asyncio.to_thread(sys.stdin.readline)).query)
    return AuthorizationCodeResult(**{name: query[name][0].strip() for name in ("code", "state", "iss") if name in query})


def provider():
    metadata = OAuthClientMetadata(client_name="Judge", redirect_uris=[REDIRECT_URI])
    return OAuthClientProvider(
        url, metadata, storage, print_address, read_answer, client_metadata_url=os.environ.get("MCP_CLIENT_ID")
    )


def plain(result):
    # Keep null members of structured answers: they mean that no value is known.
    answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {**answer, "structuredContent": result.structured_content}


async def read_pages(client):
    pages, cursor = [], {}
    while cursor is not None:
        page = plain(await client.call_tool("get_item", {"id": item, "limit": int(limit), **cursor}))
        pages.append(page)
        next_cursor = page["structuredContent"].get("next_cursor")
        cursor = None if next_cursor is None else {"cursor": next_cursor}
    return pages


async def main():
    key = os.environ.get("MCP_KEY")
    auth = provider() if key is None else None
    headers = None if key is None else {"Authorization": "Bearer " + key}
    http = create_mcp_http_client(headers=headers, auth=auth)
    async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        tools = await client.list_tools()
        pages = await read_pages(client)
        found = await client.call_tool("search_catalog", {"q": words})
        resource = await client.read_resource(f"catalog://items/{item}")
        output = {
            "revision": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "pages": pages,
            "found": plain(found),
            "resource": resource.contents[0].text,
        }
        if auth is not None:
            # Makes the token look expired.
            auth.context.token_expiry_time = 1
            again = await client.call_tool("search_catalog", {"q": words})
            output["way"] = {
                "clientId": storage.client.client_id,
                "asked": len(printed),
                "scopes": [token.scope for token in storage.tokens],
                "accessTokens": len({token.access_token for token in storage.tokens}),
                "refreshTokens": len({token.refresh_token for token in storage.tokens}),
                "again": plain(again),
            }
        print(json.dumps(output))


asyncio.run(main())
