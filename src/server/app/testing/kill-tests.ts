import { it } from 'vitest';
import { startPostgres } from './test-postgres.ts';
import type { ServiceProcess } from './service-process.ts';

/** `KILLS=20` for the full proof: this many kills, and the same again on PostgreSQL. */
const requestedKills = process.env['KILLS'];

/** Returns how often to kill; `usually` outside of the full proof. */
export const killCount = (usually: number): number => Number(requestedKills ?? usually);

/** Repeats a test on PostgreSQL in a full proof, if it is installed. */
export function itOnPostgres(
  title: string,
  service: () => ServiceProcess,
  prove: (databaseUrl: string) => Promise<void>,
  timeoutMs: number,
): void {
  it.skipIf(requestedKills === undefined)(
    title,
    async (context) => {
      const postgres = await startPostgres();
      if (!postgres) return context.skip();
      try {
        await prove(await postgres.createDatabase());
      } finally {
        await service().stop('SIGKILL');
        await postgres.stop();
      }
    },
    timeoutMs,
  );
}
