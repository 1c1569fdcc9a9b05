import { and, asc, eq, inArray, lt, ne } from 'drizzle-orm';
import type { ReceivedFile } from '#contract/resources/generation.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { receivedFiles } from '#server/platform/db/schema/review-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mediaExtension } from '#server/platform/media/media-extension.ts';
import { createMediaLink } from './media-links.ts';

export type ReceivedFileDraft = typeof receivedFiles.$inferInsert;
type ReceivedFileRow = typeof receivedFiles.$inferSelect;

/** Stores a file of a result that is no media here, without a change. @throws {StorageError}; the signal's reason */
export async function storeReceivedFile(
  { storage, clock }: Deps,
  { id: generation_id, organization_id }: { id: string; organization_id: string },
  { file, position, reason }: { file: string; position: number; reason: string },
  signal: AbortSignal,
): Promise<ReceivedFileDraft> {
  const now = clock.now();
  const id = createId('fil', now);
  const extension = await mediaExtension(file);
  const storageKey = `outputs/${id}.${extension}`;
  const stored = await storage.put(storageKey, { file }, { signal });
  const filename = `result-${position + 1}.${extension}`;
  return {
    id,
    organization_id,
    generation_id,
    position,
    filename,
    reason,
    storage_key: storageKey,
    ...stored,
    created_at: now,
  };
}

export async function insertReceivedFiles(tx: Tx, files: readonly ReceivedFileDraft[]): Promise<void> {
  if (files.length > 0) await tx.insert(receivedFiles).values([...files]);
}

/** By generation, in the order of the result. */
export async function readReceivedFiles(
  deps: Deps,
  generationIds: readonly string[],
): Promise<ReadonlyMap<string, ReceivedFile[]>> {
  const files = new Map<string, ReceivedFile[]>();
  if (generationIds.length === 0) return files;
  const rows = await deps.db
    .select()
    .from(receivedFiles)
    .where(inArray(receivedFiles.generation_id, [...generationIds]))
    .orderBy(asc(receivedFiles.generation_id), asc(receivedFiles.position));
  for (const row of rows)
    files.set(row.generation_id, [...(files.get(row.generation_id) ?? []), presentReceivedFile(deps, row)]);
  return files;
}

const presentReceivedFile = (deps: Deps, { id, filename, size_bytes, reason }: ReceivedFileRow): ReceivedFile => ({
  id,
  filename,
  size_bytes,
  reason,
  ...createMediaLink(deps, id),
});

/** As `output.files`: absent without any. */
export const filesOf = (
  files: ReadonlyMap<string, ReceivedFile[]>,
  generationId: string,
): { files?: ReceivedFile[] } => {
  const own = files.get(generationId);
  return own ? { files: own } : {};
};

/** @returns what was deleted, so that its bytes can be */
export const deleteReceivedFiles = (tx: Tx, generationId: string): Promise<ReceivedFileRow[]> =>
  tx.delete(receivedFiles).where(eq(receivedFiles.generation_id, generationId)).returning();

/** Kept files begin their retention with the decision. */
export async function keepReceivedFiles(tx: Tx, generationId: string, now: Date): Promise<void> {
  await tx.update(receivedFiles).set({ created_at: now }).where(eq(receivedFiles.generation_id, generationId));
}

/** Files of generations in review wait for the decision. @returns their storage keys */
export async function deleteOldReceivedFiles(tx: Tx, since: Date, limit: number): Promise<string[]> {
  const old = tx
    .select({ id: receivedFiles.id })
    .from(receivedFiles)
    .innerJoin(generations, eq(generations.id, receivedFiles.generation_id))
    .where(and(lt(receivedFiles.created_at, since), ne(generations.status, 'manual_review')))
    .orderBy(asc(receivedFiles.id))
    .limit(limit);
  const deleted = await tx.delete(receivedFiles).where(inArray(receivedFiles.id, old)).returning();
  return deleted.map(({ storage_key }) => storage_key);
}

export async function findReceivedFile(db: Db, id: string): Promise<ReceivedFileRow | null> {
  const [row] = await db.select().from(receivedFiles).where(eq(receivedFiles.id, id));
  return row ?? null;
}
