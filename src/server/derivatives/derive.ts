import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { mediaDerivations, mediaDerivatives } from '../db/derivative-schema.ts';
import { withScratchFolder } from '../generations/scratch.ts';
import { StorageError } from '../storage/storage.ts';
import { type Derivation, findOriginal, stillHeld } from './claim-derivation.ts';
import { type Copy, makeCopies } from './make-copies.ts';

export type Deriving = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'storage' | 'media'>;

/** A process that ends while it makes one may have ended because of it. */
const MOST_ATTEMPTS = 3;
const AGAIN_MS = 60_000;

/**
 * Makes the small copies of one stored file, and notes what became of them. No fault of one file keeps the next from
 * being made, and none is tried for ever.
 * @returns whether the next may be made: not while the store is away, or when aborted
 */
export async function derive(deps: Deriving, claimed: Derivation, signal: AbortSignal): Promise<boolean> {
  try {
    if (claimed.attempts > MOST_ATTEMPTS) await end(deps, claimed, [], 'It was begun three times and never ended.');
    else await make(deps, claimed, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return letGo(deps, claimed, 0);
    if (error instanceof StorageError && error.code === 'unavailable') return letGo(deps, claimed, AGAIN_MS);
    const { source_key, attempts } = claimed;
    deps.log.warn({ err: error, source_key, attempts }, 'no small copies were made');
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof StorageError || attempts >= MOST_ATTEMPTS) await end(deps, claimed, [], message);
    else await later(deps, claimed, attempts * AGAIN_MS, message);
    return true;
  }
}

async function make(deps: Deriving, claimed: Derivation, signal: AbortSignal): Promise<void> {
  const { source_key } = claimed;
  const facts = await findOriginal(deps.db, source_key);
  if (!facts) return void (await deps.db.delete(mediaDerivations).where(stillHeld(claimed)));
  await withScratchFolder(deps.config.media_dir, async (folder) => {
    const file = join(folder, 'original');
    await deps.storage.copyToFile(source_key, file, { signal });
    const { copies, problem } = await makeCopies({ tools: deps.media, folder, signal }, { file, ...facts });
    if (problem !== null) deps.log.info({ source_key, problem }, 'a small copy is missing');
    const stored = [];
    for (const copy of copies) stored.push(await store(deps, source_key, copy, signal));
    await end(deps, claimed, stored, problem);
  });
}

type Row = typeof mediaDerivatives.$inferInsert;

/** Under a key of its own that follows from the original's, so that making it again leaves nothing behind. */
async function store(
  { storage, clock }: Deriving,
  source_key: string,
  { variant, file, extension, ...facts }: Copy,
  signal: AbortSignal,
): Promise<Row> {
  const storage_key = `derivatives/${source_key.replace(/\.[^./]*$/, '')}/${variant}.${extension}`;
  const written = await storage.put(storage_key, { file }, { signal });
  return { source_key, variant, ...facts, storage_key, ...written, created_at: clock.now() };
}

async function end(deps: Deriving, claimed: Derivation, rows: readonly Row[], problem: string | null): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const state = rows.length > 0 ? 'made' : 'failed';
    const [held] = await tx
      .update(mediaDerivations)
      .set({ state, problem, updated_at: deps.clock.now() })
      .where(stillHeld(claimed))
      .returning();
    if (!held || rows.length === 0) return;
    await tx.delete(mediaDerivatives).where(eq(mediaDerivatives.source_key, claimed.source_key));
    await tx.insert(mediaDerivatives).values([...rows]);
  });
}

async function later({ db, clock }: Deriving, claimed: Derivation, wait_ms: number, problem: string): Promise<void> {
  const due_at = new Date(clock.now().getTime() + wait_ms);
  await db.update(mediaDerivations).set({ due_at, problem }).where(stillHeld(claimed));
}

/** An attempt that was no fault of the file does not count. */
async function letGo({ db, clock }: Deriving, claimed: Derivation, wait_ms: number): Promise<false> {
  const due_at = new Date(clock.now().getTime() + wait_ms);
  await db
    .update(mediaDerivations)
    .set({ due_at, attempts: claimed.attempts - 1 })
    .where(stillHeld(claimed));
  return false;
}
