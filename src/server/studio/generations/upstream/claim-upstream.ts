import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { type Lease, claimGeneration } from '#server/studio/generations/generation-lease.ts';

/** Lock of the database under which processes take places; any fixed number. */
const PLACES_LOCK = 7_290_021;
const RETRY_EVERY_MS = 250;

/**
 * Claims an upstream generation once fewer than `UPSTREAM_CONCURRENCY` are claimed in all processes together.
 * @returns null if it is completed or another worker runs it
 * @throws the reason of `shutdown`
 */
export async function claimUpstream(deps: Deps, id: string, shutdown: AbortSignal): Promise<Lease | null> {
  // One process counts in memory.
  if (deps.config.databaseUrl === null) return claimGeneration(deps, id);
  for (;;) {
    shutdown.throwIfAborted();
    const claim = await claimIfPlace(deps, id);
    if (claim !== 'full') return claim;
    await delay(RETRY_EVERY_MS, undefined, { signal: shutdown }).catch(() => undefined);
  }
}

const claimIfPlace = (deps: Deps, id: string): Promise<Lease | null | 'full'> =>
  deps.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${PLACES_LOCK})`);
    const isClaimed = and(
      eq(generations.status, 'running'),
      eq(generations.lane, 'generation.upstream'),
      isNotNull(generations.lease_owner),
      gt(generations.lease_expires_at, deps.clock.now()),
    );
    if ((await tx.$count(generations, isClaimed)) >= deps.config.upstreamConcurrency) return 'full';
    return claimGeneration({ ...deps, db: tx }, id);
  });
