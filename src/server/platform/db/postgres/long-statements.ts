import { AsyncLocalStorage } from 'node:async_hooks';

const STATEMENT_TIMEOUT_MS = 6_000;
const LONG_STATEMENT_TIMEOUT_MS = 600_000;

const storage = new AsyncLocalStorage<true>();

/** Allows each database statement of this work ten minutes instead of seconds: for cleanup, verification and exports. */
export const withLongStatements = <T>(work: () => Promise<T>): Promise<T> => storage.run(true, work);

export const statementTimeoutMs = (): number => (storage.getStore() ? LONG_STATEMENT_TIMEOUT_MS : STATEMENT_TIMEOUT_MS);
