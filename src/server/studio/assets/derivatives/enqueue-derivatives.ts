import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { derivativeJobs } from '#server/platform/db/derivative-schema.ts';

/** Enqueues the derivatives of new media; the worker sees them once the caller's transaction commits. */
export async function enqueueDerivatives(
  { clock, queue }: Deps,
  tx: Tx,
  media: readonly { storage_key: string }[],
): Promise<void> {
  const [first] = media;
  if (!first) return;
  const now = clock.now();
  const times = { due_at: now, created_at: now, updated_at: now };
  const rows = media.map(({ storage_key }) => ({ source_key: storage_key, state: 'waiting' as const, ...times }));
  await tx.insert(derivativeJobs).values(rows).onConflictDoNothing();
  await queue.send(tx, 'media.derive', { storage_key: first.storage_key }, { key: 'look' });
}

/** Page by page, so that no statement blocks others; new media come first. @returns the number of jobs */
export async function enqueueMissingDerivatives({ db, clock }: Deps, signal: AbortSignal): Promise<number> {
  const now = clock.now().toISOString();
  let enqueued = 0;
  for (const media of [assets, uploads]) {
    for await (const page of tablePages(db, media, media.id)) {
      if (signal.aborted) return enqueued;
      const { rows } = asQueryResult(
        await db.execute(sql`
          insert into ${derivativeJobs} (source_key, state, due_at, created_at, updated_at)
          select ${media.storage_key}, 'waiting', ${now}::timestamptz, min(${media.created_at}), ${now}::timestamptz
          from ${media}
          where ${page} and ${media.removed_at} is null
            and not exists (select 1 from ${derivativeJobs} where ${derivativeJobs.source_key} = ${media.storage_key})
          group by ${media.storage_key}
          on conflict do nothing returning 1`),
      );
      enqueued += rows.length;
    }
  }
  return enqueued;
}

/** Both drivers return `rows`; their common type does not declare it. */
const asQueryResult = (result: unknown) => result as { rows: unknown[] };
