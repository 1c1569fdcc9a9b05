import { pino } from 'pino';
import { openPostgres } from '#server/db/open-database.ts';
import { openJobQueue } from '#server/jobs/job-queue.ts';
import { startPostgres } from './test-postgres.ts';

export interface SharedPostgres {
  /** Makes a database as the service leaves it after its first start. @returns its URL */
  createDatabase(): Promise<string>;
}

let started: Promise<SharedPostgres | null> | undefined;

/** The one PostgreSQL of all test files that this process runs; null where the machine has none. It ends with the process. */
export const sharedPostgres = (): Promise<SharedPostgres | null> => (started ??= startShared());

async function startShared(): Promise<SharedPostgres | null> {
  const postgres = await startPostgres();
  if (!postgres) return null;
  // How a worker of the tests is ended; it has half a second.
  process.once('SIGTERM', () => void postgres.stop().finally(() => process.exit()));
  const prepared = await postgres.createDatabase();
  const log = pino({ level: 'silent' });
  const database = await openPostgres(prepared, log);
  const queue = await openJobQueue(database.queue, { log, supervise: false });
  await queue.stop(1_000);
  await database.close();
  return { createDatabase: () => postgres.createDatabase(prepared) };
}
