import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Db as JobDatabase } from 'pg-boss';
import type { Logger } from 'pino';
import { connectClient, type PostgresEndpoint } from '#server/platform/db/postgres/postgres-endpoint.ts';
import { openPool } from '#server/platform/db/postgres/postgres-pool.ts';

/** pg-boss also cleans up with one statement, which takes longer than those of requests. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** While pg-boss creates or migrates its tables. */
const START_TIMEOUT_MS = 600_000;
const HEARTBEAT_INTERVAL_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 5_000;
const RECONNECT_DELAY_MS = 1_000;
const CLOSE_TIMEOUT_MS = 500;
const NAME = 'emulsion-jobs';

export interface PostgresJobs {
  db: JobDatabase;
  /** Called once pg-boss has migrated its tables: from then on no statement may take long. */
  limitStatements(): void;
  close(): Promise<void>;
}

interface PostgresJobsOptions {
  endpoint: PostgresEndpoint;
  log: Pick<Logger, 'warn'>;
}

/** The connections of pg-boss. Its own end the process or hang when the database is lost in some ways. */
export function openPostgresJobs(options: PostgresJobsOptions): PostgresJobs {
  const { sessionUrl } = options.endpoint;
  let timeoutMs = START_TIMEOUT_MS;
  const pool = openPool({ ...options, application_name: NAME, max: 4, timeoutMs: () => timeoutMs });
  return {
    db: {
      executeSql: (text, values) => pool.query(text, values),
      ...(sessionUrl === null
        ? {}
        : {
            listen: (channel, onNotification, onReconnect) =>
              listen({ ...options, url: sessionUrl }, { channel, onNotification, onReconnect }),
          }),
    },
    limitStatements() {
      timeoutMs = STATEMENT_TIMEOUT_MS;
    },
    close: () => pool.end(),
  };
}

interface ListenOptions {
  url: string;
  log: Pick<Logger, 'warn'>;
}

interface Subscription {
  channel: string;
  onNotification(payload: string): void;
  onReconnect(): void;
}

/** Keeps a connection that listens, and opens another one as soon as it is lost or no longer responds. */
async function listen(options: ListenOptions, subscription: Subscription): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  const { signal } = closing;
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);

  async function keepListening(client: Client): Promise<void> {
    try {
      while (!signal.aborted) {
        await wait(HEARTBEAT_INTERVAL_MS);
        await client.query('select 1');
      }
    } catch (error) {
      if (!signal.aborted) options.log.warn({ err: error }, 'job notifications interrupted');
    } finally {
      // A connection that is lost may take minutes to close.
      await Promise.race([client.end().catch(() => undefined), delay(CLOSE_TIMEOUT_MS)]);
    }
  }

  async function run(first: Client | null): Promise<void> {
    for (let client = first; ; client = await connect(options, subscription)) {
      if (client) await keepListening(client);
      await wait(RECONNECT_DELAY_MS);
      if (signal.aborted) return;
    }
  }

  const running = run(await connect(options, subscription));
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** @returns null if the database can't be reached */
async function connect(
  { url, log }: ListenOptions,
  { channel, onNotification, onReconnect }: Subscription,
): Promise<Client | null> {
  let client: Client | undefined;
  try {
    client = await connectClient(
      { url, isPooled: false },
      { application_name: NAME, query_timeout: HEARTBEAT_TIMEOUT_MS },
    );
    client.on('notification', ({ payload }) => payload !== undefined && onNotification(payload));
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    log.warn({ err: error }, 'job notifications not available');
    client?.end().catch(() => undefined);
    return null;
  }
  onReconnect();
  return client;
}
