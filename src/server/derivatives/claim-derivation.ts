import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { mediaDerivations } from '../db/derivative-schema.ts';
import { assets, uploads } from '../db/schema.ts';
import type { Original } from './make-copies.ts';

/** Longer than any of it may take; whoever has not ended by then is gone. */
const HELD_MS = 20 * 60_000;

export type Derivation = typeof mediaDerivations.$inferSelect;

/** Takes what is to be made next, the newest first; null where there is nothing to make now. */
export async function claimDerivation({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Derivation | null> {
  const now = clock.now();
  const next = db
    .select({ source_key: mediaDerivations.source_key })
    .from(mediaDerivations)
    .where(and(eq(mediaDerivations.state, 'waiting'), lte(mediaDerivations.due_at, now)))
    .orderBy(desc(mediaDerivations.created_at))
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(mediaDerivations)
    .set({
      attempts: sql`${mediaDerivations.attempts} + 1`,
      due_at: new Date(now.getTime() + HELD_MS),
      updated_at: now,
    })
    .where(eq(mediaDerivations.source_key, next))
    .returning();
  return claimed ?? null;
}

/** Holds for the row as long as nobody else has taken it over. */
export const stillHeld = ({ source_key, attempts, due_at }: Derivation) =>
  and(
    eq(mediaDerivations.source_key, source_key),
    eq(mediaDerivations.state, 'waiting'),
    eq(mediaDerivations.attempts, attempts),
    eq(mediaDerivations.due_at, due_at),
  );

/** Takes back what a process that is gone has left, where no other runs. */
export async function takeBackDerivations({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db
    .update(mediaDerivations)
    .set({ due_at: now })
    .where(and(eq(mediaDerivations.state, 'waiting'), gt(mediaDerivations.due_at, now)));
}

/** What is known of a stored file by the media that name it; null where none does any more. */
export async function findOriginal(db: Deps['db'], source_key: string): Promise<Omit<Original, 'file'> | null> {
  for (const media of [assets, uploads]) {
    const { type, width, height, duration_seconds } = media;
    const [row] = await db
      .select({ type, width, height, duration_seconds })
      .from(media)
      .where(and(eq(media.storage_key, source_key), isNull(media.removed_at)))
      .limit(1);
    if (row) return row;
  }
  return null;
}
