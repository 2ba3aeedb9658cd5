"""Drives a Python MCP client against a server, and prints what came as JSON, as drive_client.ts does for others.

Its one argument is JSON: the client ("mcp" or "chuk"), the era, the server (its command line, or the address where it
listens) and the steps.
"""

import json
import sys
import time

import anyio


def shown(value):
    """A model of the client's as the protocol spells it."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if hasattr(value, "model_dump") else value


async def call(client, step):
    begun = time.monotonic()
    seconds = step.get("abortAfterMs", 60_000) / 1000
    result = {"thrown": "aborted"}
    with anyio.move_on_after(seconds):
        try:
            result = shown(await client.call_tool(step["name"], step["arguments"]))
        except Exception as error:
            result = {"thrown": repr(error)}
    return {"ms": (time.monotonic() - begun) * 1000, "result": result}


async def drive_mcp(drive):
    from mcp import Client, StdioServerParameters

    server = drive["server"]
    if isinstance(server, list):
        server = StdioServerParameters(command=server[0], args=server[1:])
    mode = "2026-07-28" if drive["era"] == "modern" else drive["era"]
    async with Client(server, mode=mode) as client:
        tools = shown(await client.list_tools())["tools"]
        results = [await call(client, step) for step in drive["steps"]]
        return {"server": shown(client.server_info), "tools": tools, "results": results}


async def drive_chuk(drive):
    from chuk_mcp.client import MCPClient
    from chuk_mcp.transports.http.parameters import StreamableHTTPParameters
    from chuk_mcp.transports.http.transport import StreamableHTTPTransport
    from chuk_mcp.transports.stdio.parameters import StdioParameters
    from chuk_mcp.transports.stdio.transport import StdioTransport

    server = drive["server"]
    if isinstance(server, list):
        transport = StdioTransport(StdioParameters(command=server[0], args=server[1:]))
    else:
        transport = StreamableHTTPTransport(StreamableHTTPParameters(url=server))
    async with transport:
        client = MCPClient(transport)
        hello = shown(await client.initialize())
        tools = [shown(tool) for tool in await client.list_tools()]
        results = [await call(client, step) for step in drive["steps"]]
        return {"server": hello["serverInfo"], "tools": tools, "results": results}


async def main():
    drive = json.loads(sys.argv[1])
    drives = {"mcp": drive_mcp, "chuk": drive_chuk}
    print(json.dumps(await drives[drive["client"]](drive)))


anyio.run(main)
