import { asc, eq } from 'drizzle-orm';
import { toSearchVector } from '#server/platform/core/search-words.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generationSearchTexts, uploadSearchTexts } from '#server/platform/db/library-schema.ts';
import { assets, generations } from '#server/platform/db/schema.ts';
import { MAX_PROMPT_CHARACTERS, selectPrompt } from '#server/platform/db/select-prompt.ts';
import { mediaName } from './media-name.ts';

/** Call it in the transaction that inserts or renames the upload. */
export async function indexFileName(tx: Tx, { id, filename }: { id: string; filename: string | null }): Promise<void> {
  if (filename === null) return;
  const words = toSearchVector(filename);
  const { upload_id } = uploadSearchTexts;
  await tx
    .insert(uploadSearchTexts)
    .values({ upload_id: id, words })
    .onConflictDoUpdate({ target: upload_id, set: { words } });
}

/** Call it in the transaction that names an output. A generation is found by its prompt and by the names of its outputs. */
export async function indexOutputNames(tx: Tx, generation_id: string): Promise<void> {
  const rows = await tx
    .select({ output: assets, prompt: selectPrompt(MAX_PROMPT_CHARACTERS) })
    .from(assets)
    .innerJoin(generations, eq(generations.id, assets.generation_id))
    .where(eq(assets.generation_id, generation_id))
    .orderBy(asc(assets.position));
  const names = rows.map(({ output }) =>
    mediaName({ ...output, output_index: output.position, generation: { task: output.task, prompt: null } }),
  );
  const words = toSearchVector([...names, rows[0]?.prompt].filter(Boolean).join(' '));
  await tx
    .insert(generationSearchTexts)
    .values({ generation_id, words })
    .onConflictDoUpdate({ target: generationSearchTexts.generation_id, set: { words } });
}
