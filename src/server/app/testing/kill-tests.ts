import { it } from 'vitest';
import { startPostgres } from './test-postgres.ts';
import type { ServiceProcess } from './service-process.ts';

/** Returns how often to kill; `KILLS=20` for the full proof. */
export const killCount = (usually: number): number => Number(process.env['KILLS'] ?? usually);

/** Repeats a test on PostgreSQL, if it is installed. */
export function itOnPostgres(
  title: string,
  service: () => ServiceProcess,
  prove: (databaseUrl: string) => Promise<void>,
  timeoutMs: number,
): void {
  it(
    title,
    async (context) => {
      const postgres = await startPostgres();
      if (!postgres) return context.skip('PostgreSQL is not installed');
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
