import { toSearchVector } from '#server/core/search-words.ts';
import type { Tx } from '#server/db/db.ts';
import { generationSearchTexts, uploadSearchTexts } from '#server/db/library-schema.ts';
import type { generations } from '#server/db/schema.ts';

/** Inserts the words of a new generation's prompt in the statement that inserts the generation. */
export function withPrompt(tx: Tx, { id, input }: Pick<typeof generations.$inferSelect, 'id' | 'input'>) {
  const text = input['prompt'] ?? input['query'];
  if (typeof text !== 'string') return tx;
  const words = tx.insert(generationSearchTexts).values({ generation_id: id, words: toSearchVector(text) });
  return tx.with(tx.$with('prompt').as(words));
}

/** Call it in the transaction that inserts the upload. */
export async function indexFileName(tx: Tx, { id, filename }: { id: string; filename: string | null }): Promise<void> {
  if (filename !== null) await tx.insert(uploadSearchTexts).values({ upload_id: id, words: toSearchVector(filename) });
}
