import { type SQL, and, eq, inArray } from 'drizzle-orm';
import { GENERATION_STATUSES, type GenerationStatus, MOVES } from '#contract/generation-status.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../db/db.ts';
import { generations } from '../db/schema.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { wakeRun } from '../workflows/wake-run.ts';
import type { GenerationRow } from './present.ts';

type Changes = Partial<Omit<typeof generations.$inferInsert, 'id' | 'status'>>;

const allows = (from: GenerationStatus, to: GenerationStatus): boolean => MOVES[from].some((next) => next === to);

/** The statuses that a generation may come from. Decision: Responses (Moves) */
const sourcesOf = (to: GenerationStatus) => GENERATION_STATUSES.filter((from) => allows(from, to));

/**
 * Moves a generation to a status, where the move is legal at this very moment; of several at once, one wins. It gives up
 * the lease, since every move but the claim ends the work, tells those who subscribe to what happened, and wakes the run
 * that it is a step of.
 * @param where what must hold besides
 * @returns the row as it is now; null where it was not moved
 */
export async function moveGeneration(
  deps: Pick<Deps, 'queue'>,
  tx: Tx,
  id: string,
  to: Exclude<GenerationStatus, 'queued' | 'running'>,
  changes: Changes,
  where?: SQL,
): Promise<GenerationRow | null> {
  const [row] = await tx
    .update(generations)
    .set({ ...changes, status: to, lease_owner: null, lease_expires_at: null })
    .where(and(eq(generations.id, id), inArray(generations.status, sourcesOf(to)), where))
    .returning();
  if (row) await recordEvent(deps, tx, row);
  if (row?.workflow_run_id) await wakeRun(deps, tx, row.workflow_run_id);
  return row ?? null;
}
