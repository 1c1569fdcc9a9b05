import type { Tx } from '../db/db.ts';
import { generationWords, uploadWords } from '../db/library-schema.ts';
import type { generations } from '../db/schema.ts';
import { wordsOf } from './words.ts';

/** Lets a generation, and what it makes, be found by its prompt or query. In the transaction that places it. */
export async function recordWords(
  tx: Tx,
  { id, input }: Pick<typeof generations.$inferSelect, 'id' | 'input'>,
): Promise<void> {
  const text = input['prompt'] ?? input['query'];
  if (typeof text === 'string') await tx.insert(generationWords).values({ generation_id: id, words: wordsOf(text) });
}

/** Lets an upload be found by its file name. In the transaction that inserts it. */
export async function recordFileName(tx: Tx, { id, filename }: { id: string; filename: string | null }): Promise<void> {
  if (filename !== null) await tx.insert(uploadWords).values({ upload_id: id, words: wordsOf(filename) });
}
