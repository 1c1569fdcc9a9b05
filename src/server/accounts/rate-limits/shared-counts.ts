import { type SQL, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { rateLimits } from '#server/platform/db/schema/rate-limit-schema.ts';

export interface SharedCount {
  key: string;
  points: number;
  /** Until the window ends. */
  remaining_ms: number;
}

/**
 * Adds what this process has counted, in one statement, and returns what all processes have.
 * @param counts points to add by key; 0 only reads
 */
export async function addCounts(
  db: Pick<Db, 'execute'>,
  counts: ReadonlyMap<string, number>,
  windowSeconds: number,
): Promise<SharedCount[]> {
  // In one order, so that two processes do not wait for each other's rows.
  const entries = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const keys = sql.param(entries.map(([key]) => key));
  const points = sql.param(entries.map(([, count]) => count));
  const { rows } = await execute(
    db,
    sql`insert into rate_limits as counted (key, points, expires_at)
      select key, points, now() + make_interval(secs => ${windowSeconds})
      from unnest(${keys}::text[], ${points}::integer[]) as added (key, points)
      on conflict (key) do update set
        points = case when counted.expires_at <= now() then 0 else counted.points end + excluded.points,
        expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
      returning key, points, (extract(epoch from expires_at - now()) * 1000)::integer as remaining_ms`,
  );
  return rows;
}

const execute = async (db: Pick<Db, 'execute'>, query: SQL) =>
  (await db.execute(query)) as unknown as { rows: SharedCount[] };

/** Deletes counts of windows that have ended. */
export async function purgeCounts(db: Pick<Db, 'delete'>): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expires_at, sql`now()`));
}
