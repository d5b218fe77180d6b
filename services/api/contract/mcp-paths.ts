/**
 * The agent endpoint: the Model Context Protocol over streamable HTTP, without sessions, in its revisions 2026-07-28 and
 * 2025-11-25. Before the protocol's library sees a message, it is known who sends it, and it is counted.
 */
export const MCP_PATH = '/api/mcp'
/** Where the metadata of this protected resource stand (RFC 9728): the path is put behind the well-known name. */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`
