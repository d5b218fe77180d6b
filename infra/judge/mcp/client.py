"""What the Python client of the protocol gets from an endpoint of agents: its last line is a JSON object (see clients.ts).

Arguments: endpoint, id of an item, words to search, and 'auto' or 'legacy'. The key is in MCP_KEY. Without a key the client
asks to be let in (see mcp-oauth.ts): it prints an address for a person to open, and reads the one to which the person is sent
then. It registers itself, or is known by the address in MCP_CLIENT_ID. At last its token is over, and it searches once more.
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

url, item, words, mode = sys.argv[1:]
REDIRECT_URI = "http://127.0.0.1:33418/callback"


class Kept:
    """What the client keeps: all its tokens, the newest last, and as whom it is known."""

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


kept = Kept()
asked = []


async def ask(address):
    asked.append(address)
    print(address, flush=True)


async def answered():
    said = parse_qs(urlsplit(await asyncio.to_thread(sys.stdin.readline)).query)
    return AuthorizationCodeResult(**{name: said[name][0].strip() for name in ("code", "state", "iss") if name in said})


def provider():
    about = OAuthClientMetadata(client_name="Judge", redirect_uris=[REDIRECT_URI])
    return OAuthClientProvider(
        url, about, kept, ask, answered, client_metadata_url=os.environ.get("MCP_CLIENT_ID")
    )


def plain(result):
    # Structured answers hold null where no value is known, which is not to be left out.
    answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {**answer, "structuredContent": result.structured_content}


async def main():
    key = os.environ.get("MCP_KEY")
    auth = provider() if key is None else None
    headers = None if key is None else {"Authorization": "Bearer " + key}
    http = create_mcp_http_client(headers=headers, auth=auth)
    async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        tools = await client.list_tools()
        read = await client.call_tool("get_item", {"id": item})
        found = await client.call_tool("search_catalog", {"q": words})
        resource = await client.read_resource(f"catalog://items/{item}")
        said = {
            "revision": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "item": plain(read),
            "found": plain(found),
            "resource": resource.contents[0].text,
        }
        if auth is not None:
            # As if it had been kept for long.
            auth.context.token_expiry_time = 1
            again = await client.call_tool("search_catalog", {"q": words})
            said["way"] = {
                "clientId": kept.client.client_id,
                "asked": len(asked),
                "scopes": [token.scope for token in kept.tokens],
                "accessTokens": len({token.access_token for token in kept.tokens}),
                "refreshTokens": len({token.refresh_token for token in kept.tokens}),
                "again": plain(again),
            }
        print(json.dumps(said))


asyncio.run(main())
