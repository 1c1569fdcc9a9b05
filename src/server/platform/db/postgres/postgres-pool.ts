import { Client, type ClientBase, DatabaseError, Pool, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import { statementTimeoutMs } from './long-statements.ts';
import { connectionConfig, type PostgresEndpoint } from './postgres-endpoint.ts';
import { setUpSession, setUpTransactions } from './postgres-session.ts';

const MAX_LIFETIME_SECONDS = 600;

export interface PoolOptions {
  endpoint: Pick<PostgresEndpoint, 'url' | 'isPooled'>;
  application_name: string;
  max: number;
  log: Pick<Logger, 'warn'>;
  /** By default 6 s, or what `withLongStatements` allows. */
  timeoutMs?: () => number;
  /** By default a statement waits for a lock until its timeout. */
  lockTimeoutMs?: number;
}

/**
 * Opens a pool that replaces connections which were lost, or whose statements get no response in time. It survives any
 * loss of the database: statements reject, and later ones connect again.
 */
export function openPool({
  endpoint: { url, isPooled },
  log,
  timeoutMs = statementTimeoutMs,
  lockTimeoutMs = 0,
  ...options
}: PoolOptions): Pool {
  const pool = new Pool({
    ...options,
    ...connectionConfig(url),
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    async onConnect(client) {
      if (isPooled) setUpTransactions(client, { lockTimeoutMs, timeoutMs });
      limitStatements(client, { timeoutMs, canName: !isPooled, onLate: closeUnresponsive });
      if (!isPooled) await setUpSession(client, { lockTimeoutMs });
    },
  });
  const borrowed = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => borrowed.add(client));
  pool.on('release', (_error, client) => borrowed.delete(client));
  // Without a listener, a connection that is lost while it is idle or borrowed would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // drizzle never releases a connection on which a transaction could not begin.
    client.once('end', () => {
      if (!borrowed.has(client)) return;
      client.release(true);
      client.release = () => undefined;
    });
  });
  pool.query = (async (...query: Parameters<Pool['query']>) => {
    // pg's own method may run the statement in the context of another caller.
    const client = await pool.connect();
    try {
      const result = await client.query(...query);
      client.release();
      return result;
    } catch (error) {
      client.release(!isReusable(query, error));
      throw error;
    }
  }) as unknown as Pool['query'];

  function closeUnresponsive(client: ClientBase): void {
    log.warn('a database statement got no response in time; its connection is closed');
    // This rejects the statement: pg breaks the connection instead of waiting for the response.
    if (client instanceof Client) client.end().catch(() => undefined);
    // Idle connections probably go the same dead way.
    for (let count = pool.idleCount; count > 0; count -= 1) {
      pool.connect().then(
        (idle) => idle.release(true),
        () => undefined,
      );
    }
  }
  return pool;
}

/**
 * Whether a connection is as before after a failed query: a script may have left a transaction open, which one statement
 * with parameters can't.
 */
const isReusable = ([, values]: readonly unknown[], error: unknown): boolean =>
  Array.isArray(values) && values.length > 0 && error instanceof DatabaseError && error.severity === 'ERROR';

interface StatementLimits {
  timeoutMs: () => number;
  /** Whether statements may be named, and so be prepared in a session. */
  canName: boolean;
  /** Called when a statement has no response after `timeoutMs`. */
  onLate: (client: ClientBase) => void;
}

function limitStatements(client: ClientBase, { timeoutMs, canName, onLate }: StatementLimits): void {
  const send = client.query.bind(client) as (...query: unknown[]) => Promise<unknown>;
  const limited = async (...query: unknown[]): Promise<unknown> => {
    let isDone = false;
    // The response may have arrived while this process was busy, so it is read first.
    const limitMs = timeoutMs();
    const timer = setTimeout(() => setImmediate(() => isDone || onLate(client)), limitMs);
    try {
      return await send(...(canName ? query : withoutName(query)));
    } finally {
      isDone = true;
      clearTimeout(timer);
    }
  };
  client.query = limited as typeof client.query;
}

/** Statements that their code names are prepared in a session. */
const withoutName = ([config, ...rest]: readonly unknown[]): unknown[] => [
  typeof config === 'object' && config !== null && 'name' in config ? { ...config, name: undefined } : config,
  ...rest,
];
