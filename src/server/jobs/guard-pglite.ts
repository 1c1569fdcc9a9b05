import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';

const transactions = new AsyncLocalStorage<{ open: boolean }>();

/** What goes through the root connection, and so waits for an open transaction to end. */
const WAITS = new Set<PropertyKey>([
  'query',
  'sql',
  'exec',
  'execProtocol',
  'execProtocolRaw',
  'describeQuery',
  'transaction',
]);

/**
 * The same PGlite, but a use of the root connection inside an open transaction is an error. PGlite has one connection:
 * such a call would wait for the transaction, which waits for the call, and both hang for ever.
 */
export function guardPglite(lite: PGlite): PGlite {
  return new Proxy(lite, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!WAITS.has(name)) return value.bind(target);
      return (...args: unknown[]) => {
        if (transactions.getStore()?.open) {
          throw new Error(`PGlite.${String(name)} was called on the root connection inside an open transaction.`);
        }
        return name === 'transaction' ? inTransaction(target, args) : Reflect.apply(value, target, args);
      };
    },
  });
}

async function inTransaction(lite: PGlite, [body]: unknown[]): Promise<unknown> {
  if (typeof body !== 'function') throw new TypeError('A transaction takes a function.');
  const state = { open: true };
  try {
    return await lite.transaction((tx) => transactions.run(state, () => Reflect.apply(body, undefined, [tx])));
  } finally {
    state.open = false;
  }
}
