import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import type { EndpointName } from '#contract/api/endpoints.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { EndpointRequest, EndpointResponse } from '#server/http/send-endpoint-request.ts';
import type { WaitSlots } from '#server/http/wait-slots.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** One message of a client: whose key sent it, and the ways to act for it. */
export interface McpCall {
  deps: Deps;
  app: FastifyInstance;
  caller: Caller;
  /** Sends a request to an endpoint with the caller's credential, as if it came over HTTP. */
  send(name: EndpointName, request: EndpointRequest): Promise<EndpointResponse>;
  wait_slots: WaitSlots;
  /** Waits until the answer may hold files as base64, for as long as it is not sent. */
  takeBase64Turn(): Promise<void>;
  /** Aborts when the client disconnects or the service stops. */
  signal: AbortSignal;
}

/** A tool as a module defines it: what clients see, who sees it, and what a call does. */
export interface McpTool {
  name: string;
  permission: Permission | null;
  describe(call: McpCall): Omit<Tool, 'name'>;
  /** Whether scopes of the key, or the catalog, hide it. */
  isHidden?(call: McpCall): boolean;
  run(call: McpCall, args: ToolArguments, context: ServerContext): Promise<CallToolResult>;
}
