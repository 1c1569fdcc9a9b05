import { pino } from 'pino';
import { openPostgres } from '#server/platform/db/open-database.ts';
import { openJobQueue } from '#server/platform/jobs/job-queue.ts';
import { startPostgres } from './test-postgres.ts';

export interface SharedPostgres {
  /** Creates a database in its state after the first start of the service. @returns its URL */
  createDatabase(): Promise<string>;
  createEmptyDatabase(): Promise<string>;
}

let started: Promise<SharedPostgres | null> | undefined;

/** The PostgreSQL shared by all test files of this process; null if it is not installed. It ends with the process. */
export const sharedPostgres = (): Promise<SharedPostgres | null> => (started ??= startShared());

async function startShared(): Promise<SharedPostgres | null> {
  const postgres = await startPostgres();
  if (!postgres) return null;
  // Vitest ends its workers like this and waits half a second.
  process.once('SIGTERM', () => void postgres.stop().finally(() => process.exit()));
  const prepared = await postgres.createDatabase();
  const log = pino({ level: 'silent' });
  const database = await openPostgres(prepared, log);
  const queue = await openJobQueue(database.queue, { log, supervise: false });
  await queue.stop(1_000);
  await database.close();
  return {
    createDatabase: () => postgres.createDatabase(prepared),
    createEmptyDatabase: () => postgres.createDatabase(),
  };
}
