import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { pino } from 'pino';
import { openUnmigratedFolder } from '#server/platform/db/open-database.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { startFakeWebhookReceiver } from '../support/fake-webhook-receiver.ts';
import { call } from '../support/api-client.ts';
import type { ReadRows } from './table-sizes.ts';

export const METRICS_TOKEN = 'soak-soak-soak-soak';

/** Something goes wrong for some seconds. */
interface Fault {
  name: string;
  /** Ends when it is over. */
  cause(): Promise<void>;
}

/** A service as deployed, with what can be taken away from it. */
export interface Installation {
  name: string;
  processes: readonly ServiceProcess[];
  /** Accept requests. */
  apis: readonly ServiceProcess[];
  /** Faults that leave the processes running. */
  faults: readonly Fault[];
  start(service: ServiceProcess): Promise<void>;
  /** Folders of work in progress. */
  countTempFolders(): Promise<number>;
  /** Reads from the database; call it after the processes have ended. */
  read: ReadRows;
  close(): Promise<void>;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One process with the embedded database. */
export async function openEmbedded(): Promise<Installation> {
  const installation = await open('embedded', ['all'], null);
  return { ...installation, read: (text) => readFolder(path.join(installation.dataDir, 'database'), text) };
}

async function readFolder<Row>(folder: string, text: string): Promise<Row[]> {
  const database = await openUnmigratedFolder(folder, pino({ level: 'silent' }));
  try {
    return await readRows<Row>(database.db, sql.raw(text));
  } finally {
    await database.close();
  }
}

/** Two processes that accept requests and two that work, on a PostgreSQL; null where it is not installed. */
export async function openOnPostgres(): Promise<Installation | null> {
  const postgres = await startPostgres();
  if (!postgres) return null;
  const url = await postgres.createDatabase();
  const read: ReadRows = async <Row>(text: string): Promise<Row[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const faults = [
    {
      name: 'database stopped at once, for 5 s',
      async cause() {
        await postgres.shutDown('immediate');
        await sleep(5_000);
        await postgres.restart();
      },
    },
    {
      name: 'database hangs for 5 s',
      async cause() {
        await postgres.pause();
        await sleep(5_000);
        await postgres.resume();
      },
    },
    {
      name: 'connections ended',
      cause: async () => {
        await read('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
      },
    },
  ];
  const installation = await open('PostgreSQL', ['api', 'api', 'worker', 'worker'], url, faults);
  return {
    ...installation,
    read,
    async close() {
      await installation.close();
      await postgres.stop();
    },
  };
}

async function open(
  name: string,
  roles: readonly ('all' | 'api' | 'worker')[],
  databaseUrl: string | null,
  databaseFaults: readonly Fault[] = [],
): Promise<Omit<Installation, 'read'> & { dataDir: string }> {
  const receiver = await startFakeWebhookReceiver();
  const processes = await Promise.all(roles.map(() => prepareServiceProcess()));
  const [first] = processes;
  if (!first) throw new RangeError('An installation has a process.');
  const start = (service: ServiceProcess) =>
    service.start(databaseUrl, {
      ...receiver.environment,
      DATA_DIR: first.dataDir,
      ROLE: roles[processes.indexOf(service)] ?? 'all',
      METRICS_TOKEN,
    });
  for (const service of processes) await start(service);
  const admin = { url: first.url(''), key: first.key };
  await call(admin, 'POST', '/v1/billing/credits', { amount_usd: '100000', description: 'For the long run' });
  await call(admin, 'POST', '/v1/webhooks/endpoints', {
    url: receiver.url('/events'),
    events: ['generation.succeeded'],
  });
  const scratch = path.join(first.dataDir, 'scratch');
  await mkdir(scratch, { recursive: true });
  return {
    name,
    dataDir: first.dataDir,
    processes,
    apis: processes.filter((_, index) => roles[index] !== 'worker'),
    faults: [...databaseFaults, failingReceiver(receiver)],
    start,
    async countTempFolders() {
      const roots = await readdir(scratch);
      const jobs = await Promise.all(roots.map((root) => readdir(path.join(scratch, root)).catch(() => [])));
      return jobs.flat().length;
    },
    async close() {
      for (const service of processes) await service.remove();
      await receiver.close();
    },
  };
}

const failingReceiver = ({ response }: { response: { status: number } }): Fault => ({
  name: 'webhook receiver fails for 10 s',
  async cause() {
    response.status = 500;
    await sleep(10_000);
    response.status = 204;
  },
});
