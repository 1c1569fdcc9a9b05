import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import { VERSION } from '#server/platform/core/version.ts';
import { ENDPOINT_TOOLS } from './endpoint-tools.ts';
import { toolError } from './present-result.ts';
import { TASK_TOOLS } from './task-tools.ts';
import type { McpCall, McpTool, ToolArguments } from './mcp-tool.ts';
import { WAIT_TOOL } from './wait-tool.ts';

const INSTRUCTIONS =
  'Creates and edits images, video and audio. Orders cost money: prices are in the descriptions, create_estimate prices a request for free, and get_billing_summary has the balance. Order with the tool of a task, then call wait_for_generation. Errors are JSON with code, message and details that name the field.';

const TOOLS: readonly McpTool[] = [...TASK_TOOLS, WAIT_TOOL, ...ENDPOINT_TOOLS];

/** Creates the server of one message, with the tools that the caller's key may use. Decision: MCP */
export function createMcpServer(call: McpCall): Server {
  const server = new Server(
    { name: 'emulsion', title: 'Emulsion', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.filter((tool) => isListed(call, tool)).map((tool) => ({ name: tool.name, ...tool.describe(call) })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    // A tool that is not listed still runs: its endpoint refuses it with the reason.
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool with this name.');
    return runTool(call, tool, params.arguments ?? {}, context);
  });
  return server;
}

/** The SDK would send the message of any error to the client. */
async function runTool(call: McpCall, tool: McpTool, args: ToolArguments, context: ServerContext) {
  try {
    return await tool.run(call, args, context);
  } catch (error) {
    if (!call.signal.aborted) call.deps.log.error({ err: error, tool: tool.name }, 'tool failed');
    return toolError('internal_error', 'Something went wrong on our side. Try again, or contact the operator.');
  }
}

const isListed = (call: McpCall, tool: McpTool): boolean =>
  (tool.permission === null || call.caller.permissions.has(tool.permission)) && tool.isHidden?.(call) !== true;
