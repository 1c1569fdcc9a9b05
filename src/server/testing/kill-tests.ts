import { it } from 'vitest';
import { startPostgres } from './test-postgres.ts';
import type { ServiceProcess } from './service-process.ts';

/** `KILLS=20` for the full proof: so many kills, and all of it once more where the database is PostgreSQL. */
const requested_kills = process.env['KILLS'];

/** How often to kill; `usually` where no full proof is asked for. */
export const killCount = (usually: number): number => Number(requested_kills ?? usually);

/** What a service proves on a PostgreSQL of its own, in a full proof and where that is installed. */
export function itOnPostgres(
  title: string,
  service: () => ServiceProcess,
  prove: (database_url: string) => Promise<void>,
  timeout_ms: number,
): void {
  it.skipIf(requested_kills === undefined)(
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
    timeout_ms,
  );
}
