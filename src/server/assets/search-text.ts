import { toSearchVector } from '#server/core/search-words.ts';
import type { Tx } from '#server/db/db.ts';
import { generationSearchTexts, uploadSearchTexts } from '#server/db/library-schema.ts';
import type { generations } from '#server/db/schema.ts';

/** Call it in the transaction that inserts the generation. */
export async function indexPrompt(
  tx: Tx,
  { id, input }: Pick<typeof generations.$inferSelect, 'id' | 'input'>,
): Promise<void> {
  const text = input['prompt'] ?? input['query'];
  if (typeof text === 'string')
    await tx.insert(generationSearchTexts).values({ generation_id: id, words: toSearchVector(text) });
}

/** Call it in the transaction that inserts the upload. */
export async function indexFileName(tx: Tx, { id, filename }: { id: string; filename: string | null }): Promise<void> {
  if (filename !== null) await tx.insert(uploadSearchTexts).values({ upload_id: id, words: toSearchVector(filename) });
}
