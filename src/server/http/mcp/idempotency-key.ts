import type { CallToolResult } from '@modelcontextprotocol/server';
import { argumentError } from './present-result.ts';

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
 * was.
 * Decision: MCP
 */
export function readIdempotencyKey(value: unknown): string | CallToolResult {
  if (typeof value === 'string' && PATTERN.test(value)) return value;
  return argumentError('idempotency_key', 'Send an idempotency_key of 1 to 100 printable ASCII characters.');
}
