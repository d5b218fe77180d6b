/**
 * The agent endpoint: the Model Context Protocol over streamable HTTP, stateless, in the revisions 2026-07-28 and
 * 2025-11-25. It authenticates and counts a message before the protocol's library reads it.
 */
export const MCP_PATH = '/api/mcp'
/** The metadata of this protected resource: RFC 9728 puts the path behind the well-known name. */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`
