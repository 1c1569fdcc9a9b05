import { type SQL, and, eq, inArray } from 'drizzle-orm';
import { GENERATION_STATUSES, type GenerationStatus, TRANSITIONS } from '#contract/statuses.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { GenerationRow } from './read/generation-row.ts';

type GenerationChanges = Partial<Omit<typeof generations.$inferInsert, 'id' | 'status'>>;

const isTransitionAllowed = (from: GenerationStatus, to: GenerationStatus): boolean =>
  TRANSITIONS[from].some((next) => next === to);

/** The statuses that a generation may come from. Decision: Statuses */
const listSourceStatuses = (to: GenerationStatus) =>
  GENERATION_STATUSES.filter((from) => isTransitionAllowed(from, to));

/**
 * Changes the status of a generation if the transition is legal at this moment; of several at once, one wins. Releases
 * the lease, since every transition but the claim ends the work, and notifies the transition listeners.
 * @param where a further condition
 * @returns the updated row; null if nothing changed
 */
export async function transitionGeneration(
  { transitionListeners }: Deps,
  tx: Tx,
  id: string,
  to: Exclude<GenerationStatus, 'queued' | 'running'>,
  changes: GenerationChanges,
  where?: SQL,
): Promise<GenerationRow | null> {
  const [row] = await tx
    .update(generations)
    .set({ ...changes, status: to, lease_owner: null, lease_expires_at: null })
    .where(and(eq(generations.id, id), inArray(generations.status, listSourceStatuses(to)), where))
    .returning();
  if (!row) return null;
  for (const notify of transitionListeners) await notify(tx, row);
  return row;
}
