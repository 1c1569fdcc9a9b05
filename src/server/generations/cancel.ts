import { eq } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import { release } from '../billing/move-funds.ts';
import type { Deps } from '../deps.ts';
import { generations } from '../db/schema.ts';
import { once } from '../idempotency/once.ts';
import { readGeneration } from './find.ts';
import { moveGeneration } from './move.ts';
import type { Presenting } from './present.ts';
import { stopUpstream } from './upstream/stop-upstream.ts';

/**
 * Ends a queued or running generation and gives its reservation back; the worker sees it and stops, and what another
 * service has of it is stopped there. One that has ended stays as it is. Decision: Responses (Cancel)
 * @throws {ApiError} 404 `generation_not_found`, 503
 */
export async function cancelGeneration(
  deps: Presenting & Pick<Deps, 'db' | 'queue'>,
  organization_id: string,
  id: string,
): Promise<Generation> {
  const now = deps.clock.now();
  const { body } = await once(deps, undefined, async (tx) => {
    const row = await moveGeneration(
      deps,
      tx,
      id,
      'canceled',
      { progress: null, billing_status: 'released', completed_at: now, updated_at: now },
      eq(generations.organization_id, organization_id),
    );
    if (row) {
      await stopUpstream(deps, tx, id);
      await release(tx, row, row.amount_micro_usd, now);
    }
    return { status: 200, body: await readGeneration({ ...deps, db: tx }, organization_id, id) };
  });
  return body;
}
