export const MCP_PATH = '/mcp';

/** Headers of the protocol that browsers ask for permission to send. */
export const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
