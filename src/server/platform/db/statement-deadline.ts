import type { ClientBase, QueryResult } from 'pg';

/**
 * A parameter that the pool replaces by the time, on the server's clock, at which a statement that has begun too late or
 * takes too long must fail: its caller will soon have given up.
 */
export const STATEMENT_DEADLINE = Object.freeze({ name: 'statement deadline' });

/** The function `store_generation` raises it. */
export const PAST_DEADLINE = 'EM007';

/** For the commit and the way of the response. */
const RESPONSE_MS = 1_000;

/** Epoch of the server, in milliseconds, when this process' monotonic clock was at zero. */
const clocks = new WeakMap<ClientBase, number>();

export const READ_SERVER_CLOCK = 'select extract(epoch from clock_timestamp()) * 1000 as now_ms';

/**
 * Remembers the clock of a connection's server, which may differ from that of this machine.
 * @param results of a script that ends with `READ_SERVER_CLOCK`
 */
export function setServerClock(client: ClientBase, results: unknown): void {
  const { rows } = (results as QueryResult<{ now_ms: string }>[]).at(-1) ?? { rows: [] };
  // The server read its clock before the response arrived, so deadlines are early by the time that this took.
  if (rows[0]) clocks.set(client, Number(rows[0].now_ms) - performance.now());
}

/** @param query arguments of the `query` method of PGlite: nobody gives up, and nothing delays a statement on its way */
export const removeDeadline = ([text, values, ...rest]: readonly unknown[]): unknown[] => [
  text,
  Array.isArray(values) ? values.map((value: unknown) => (value === STATEMENT_DEADLINE ? null : value)) : values,
  ...rest,
];

/** @param query arguments of the `query` method of pg, for a statement that is sent now */
export function insertDeadline(client: ClientBase, query: readonly unknown[], timeout_ms: number): readonly unknown[] {
  const [config, values, ...rest] = query;
  if (!Array.isArray(values) || !values.includes(STATEMENT_DEADLINE)) return query;
  const zero_ms = clocks.get(client);
  if (zero_ms === undefined) throw new Error('The clock of the database server is not known.');
  const deadline = new Date(zero_ms + performance.now() + timeout_ms - RESPONSE_MS).toISOString();
  return [config, values.map((value: unknown) => (value === STATEMENT_DEADLINE ? deadline : value)), ...rest];
}
