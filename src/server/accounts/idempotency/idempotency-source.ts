import { AsyncLocalStorage } from 'node:async_hooks';

/** A compat adapter that sends requests to endpoints for its caller. */
export type IdempotencySource = 'openai' | 'fal' | 'replicate' | 'mcp';

const storage = new AsyncLocalStorage<IdempotencySource | null>();

/**
 * Sends a request whose idempotency keys the compat adapter chose. They have a scope that no header can name, so that no
 * caller can put a response where a compat adapter looks for its own.
 */
export const withIdempotencySource = <T>(source: IdempotencySource | null, send: () => T): T =>
  storage.run(source, send);

/** null: the caller chose the key. */
export const currentIdempotencySource = (): IdempotencySource | null => storage.getStore() ?? null;
