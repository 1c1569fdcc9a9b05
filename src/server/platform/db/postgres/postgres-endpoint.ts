import { Client, type ClientConfig } from 'pg';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import { databaseStartError } from '#server/platform/db/database-start-error.ts';
import { setUpSession, setUpTransactions } from './postgres-session.ts';

/** How PostgreSQL is reached. */
export interface PostgresEndpoint {
  url: string;
  /** Whether a pooler passes each transaction to any session of the server. Decision: Poolers */
  isPooled: boolean;
  /** For what needs a session of its own; null: nothing can. */
  sessionUrl: string | null;
}

const MIN_VERSION = 15;

/**
 * Long enough for a burst of requests to take turns. Without its database a request fails here or at its first
 * statement, after 6 s: within 10 s in both cases. Decision: Database outages
 */
const CONNECT_TIMEOUT_MS = 8_000;

/** The system closes a connection whose other end is gone, also while a long statement runs. */
export const connectionConfig = (url: string) =>
  ({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionString: withLibpqModes(url),
  }) as const satisfies ClientConfig;

/** pg would verify certificates in these modes as in `verify-full`, and warn that this will change. */
const withLibpqModes = (url: string): string =>
  /[?&]sslmode=(?:prefer|require|verify-ca)(?:&|$)/.test(url) && !url.includes('uselibpqcompat=')
    ? `${url}&uselibpqcompat=true`
    : url;

/**
 * Finds out how the server at `DATABASE_URL` is reached.
 * @throws {ConfigError} if it can't be, or is one that the service can't use
 */
export async function inspectPostgres(url: string, directUrl: string | null): Promise<PostgresEndpoint> {
  if (directUrl !== null) await inspect(directUrl, 'DATABASE_DIRECT_URL');
  const isPooled = await inspect(url, 'DATABASE_URL');
  return { url, isPooled, sessionUrl: directUrl ?? (isPooled ? null : url) };
}

/** @returns whether a pooler is in between */
async function inspect(url: string, variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'): Promise<boolean> {
  try {
    const client = new Client({ ...connectionConfig(url), query_timeout: CONNECT_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('begin');
      const { rows } = await client.query<{ pid: number; version: number; encoding: string }>(
        `select pg_backend_pid() as pid, current_setting('server_version_num')::integer / 10000 as version,
           current_setting('server_encoding') as encoding`,
      );
      await client.query('commit');
      const [server] = rows;
      if (!server) throw new Error('The server returned no row.');
      if (server.version < MIN_VERSION)
        throw new ConfigError(`${variable} is PostgreSQL ${server.version}: use ${MIN_VERSION} or newer.`);
      if (server.encoding !== 'UTF8')
        throw new ConfigError(`The database at ${variable} has the encoding ${server.encoding}: create one with UTF8.`);
      return readProcessId(client) !== server.pid;
    } finally {
      client.end().catch(() => undefined);
    }
  } catch (error) {
    throw databaseStartError(variable, error);
  }
}

/** The id of the session as it was told at connect, where a pooler has one of its own. The types of pg lack it. */
function readProcessId(client: Client): number {
  if ('processID' in client && typeof client.processID === 'number') return client.processID;
  throw new Error('pg has no id of its session.');
}

interface ClientOptions {
  application_name: string;
  /** By default a statement may take any time. */
  query_timeout?: number;
}

/** Connects one client. @throws the errors of pg */
export async function connectClient(
  { url, isPooled }: Pick<PostgresEndpoint, 'url' | 'isPooled'>,
  options: ClientOptions,
): Promise<Client> {
  const client = new Client({ ...connectionConfig(url), ...options });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (isPooled) setUpTransactions(client, { lockTimeoutMs: 0, timeoutMs: () => 0 });
    else await setUpSession(client, { lockTimeoutMs: 0 });
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
