import type { CallToolResult } from '@modelcontextprotocol/server';
import { argumentError } from './present-result.ts';
import type { McpCall } from './tool.ts';

const PATTERN = /^[\x20-\x7e]{1,100}$/;

export const IDEMPOTENCY_KEY_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description:
    'A new value, such as a UUID, for each new order. Repeat a call with the same value if its result was lost: then nothing is ordered or charged twice.',
} as const;

/**
 * Reads the argument `idempotency_key`. It is required, because an assistant that lost a result repeats the call as it
 * was. The key is part of the header, so that two keys of an organization don't get each other's results.
 * Decision: MCP
 */
export function readIdempotencyKey({ caller }: Pick<McpCall, 'caller'>, value: unknown): string | CallToolResult {
  if (typeof value === 'string' && PATTERN.test(value)) return `mcp:${caller.key_id}:${value}`;
  return argumentError('idempotency_key', 'Send an idempotency_key of 1 to 100 printable ASCII characters.');
}
