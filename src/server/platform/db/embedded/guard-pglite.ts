import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';

const transactions = new AsyncLocalStorage<{ open: boolean }>();

/** Methods of the root connection, which wait for an open transaction. */
const GUARDED_METHODS = new Set<PropertyKey>([
  'query',
  'sql',
  'exec',
  'execProtocol',
  'execProtocolRaw',
  'describeQuery',
  'transaction',
]);

/**
 * Wraps PGlite so that using the root connection inside an open transaction throws. PGlite has a single connection:
 * such a call would wait for the transaction, which waits for the call, forever.
 * @param onBroken called with the first error after which PGlite no longer responds, for example on a full disk
 */
export function guardPglite(lite: PGlite, onBroken: (error: unknown) => void): PGlite {
  let is_broken = false;
  const watched = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      return await work;
    } catch (error) {
      if (!is_broken && isBroken(error)) {
        is_broken = true;
        onBroken(error);
      }
      throw error;
    }
  };
  return new Proxy(lite, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!GUARDED_METHODS.has(name)) return value.bind(target);
      return (...args: unknown[]) => {
        if (transactions.getStore()?.open) {
          throw new Error(`PGlite.${String(name)} was called on the root connection inside an open transaction.`);
        }
        if (name === 'transaction') return watched(inTransaction(target, args));
        return watched(Reflect.apply(value, target, args));
      };
    },
  });
}

/** PGlite aborted, or failed to write its log and has rejected every statement since. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'RuntimeError' ||
    ('code' in error && error.code === '24000' && error.message.includes('cannot drop active portal')));

async function inTransaction(lite: PGlite, [body]: unknown[]): Promise<unknown> {
  if (typeof body !== 'function') throw new TypeError('A transaction takes a function.');
  const state = { open: true };
  try {
    return await lite.transaction((tx) => transactions.run(state, () => Reflect.apply(body, undefined, [tx])));
  } finally {
    state.open = false;
  }
}
