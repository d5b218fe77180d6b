"""What the Python client of the protocol gets from an endpoint of agents: one JSON object (see mcp-clients.ts).

Arguments: endpoint, id of an item, words to search, and 'auto' or 'legacy'. The key is in MCP_KEY.
"""

import asyncio
import json
import os
import sys

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

url, item, words, mode = sys.argv[1:]
headers = {"Authorization": "Bearer " + os.environ["MCP_KEY"]}


def plain(result):
    # Structured answers hold null where no value is known, which is not to be left out.
    answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {**answer, "structuredContent": result.structured_content}


async def main():
    http = create_mcp_http_client(headers=headers)
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
        print(json.dumps(said))


asyncio.run(main())
