import { asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { TASKS } from '#contract/catalog.ts';
import { modelName } from '#contract/model-catalog.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { toSearchVector } from '#server/platform/core/search-words.ts';
import { batches } from '#server/platform/db/schema/batch-schema.ts';
import { mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import {
  assetSearchTexts,
  generationSearchTexts,
  uploadSearchTexts,
} from '#server/platform/db/schema/library-schema.ts';
import { assets, generations, uploads } from '#server/platform/db/schema/schema.ts';
import { MAX_PROMPT_CHARACTERS, selectPrompt } from '#server/platform/db/select-prompt.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mediaName } from './media-name.ts';

interface Work {
  task: typeof generations.$inferSelect.task;
  model: typeof generations.$inferSelect.model;
  metadata: Record<string, string> | null;
  prompt: string | null;
  /** The person, or the key of a program. */
  creator: string;
  batch: string | null;
}

/** What a generation and all its outputs are found by. Long prompts are cut, so they come last. Decision: Search */
function workTexts({ offering }: Deps, { task, model, metadata, prompt, creator, batch }: Work): (string | null)[] {
  const { name, label } = TASKS[task];
  const modelTexts = model === null ? [] : [modelName(offering.current(), model), model];
  return [...Object.values(metadata ?? {}), name, label, ...modelTexts, creator, batch, prompt];
}

const toWords = (texts: readonly (string | null)[]): string =>
  toSearchVector(texts.filter((text) => text !== null).join('\n'));

/** The words of a generation before its insert. */
export async function newWorkWords(
  deps: Deps,
  tx: Tx,
  {
    input,
    batch_id,
    ...row
  }: Pick<Work, 'task' | 'model' | 'metadata' | 'creator'> & {
    input: Readonly<Record<string, unknown>>;
    batch_id: string | null;
  },
): Promise<string> {
  const prompt = input['prompt'] ?? input['query'];
  const [batch] =
    batch_id === null ? [] : await tx.select({ name: batches.name }).from(batches).where(eq(batches.id, batch_id));
  return toWords(
    workTexts(deps, { ...row, prompt: typeof prompt === 'string' ? prompt : null, batch: batch?.name ?? null }),
  );
}

/** Call it in each transaction that inserts, renames or labels media. Locks the words of a generation until its end. */
export async function indexMedia(deps: Deps, tx: Tx, media: Iterable<IndexedMedia>): Promise<void> {
  const [generation_ids, upload_ids] = [new Set<string>(), new Set<string>()];
  for (const { id, generation_id } of media) {
    if (generation_id === null) upload_ids.add(id);
    else generation_ids.add(generation_id);
  }
  if (generation_ids.size > 0) await indexOutputs(deps, tx, [...generation_ids]);
  if (upload_ids.size > 0) await indexUploads(tx, [...upload_ids]);
}

interface IndexedMedia {
  id: string;
  /** null: an upload. */
  generation_id: string | null;
}

async function indexOutputs(deps: Deps, tx: Tx, ids: string[]): Promise<void> {
  const { generation_id } = generationSearchTexts;
  // Otherwise two changes at once would each miss what the other one sets.
  await tx
    .select({ generation_id })
    .from(generationSearchTexts)
    .where(inArray(generation_id, ids))
    .orderBy(asc(generation_id))
    .for('update');
  const works = await tx
    .select({
      id: generations.id,
      task: generations.task,
      model: generations.model,
      metadata: generations.metadata,
      created_by: generations.created_by,
      prompt: selectPrompt(MAX_PROMPT_CHARACTERS),
      batch: batches.name,
    })
    .from(generations)
    .leftJoin(batches, eq(batches.id, generations.batch_id))
    .where(inArray(generations.id, ids))
    .orderBy(asc(generations.id));
  const outputs = await tx
    .select(getTableColumns(assets))
    .from(assets)
    .where(inArray(assets.generation_id, ids))
    .orderBy(asc(assets.generation_id), asc(assets.position));
  const nameOf = await readCreatorNames(tx, works);
  const labels = await readLabelTexts(tx, outputs);
  const rows = works.map((work) => {
    const shared = workTexts(deps, { ...work, creator: nameOf(work.created_by) });
    const own = outputs
      .filter((output) => output.generation_id === work.id)
      .map((output) => ({
        asset_id: output.id,
        texts: [
          mediaName({ ...output, generation: { task: output.task, prompt: null } }),
          ...(labels.get(output.id) ?? []),
        ],
      }));
    return {
      generation_id: work.id,
      words: toWords([...own.flatMap(({ texts }) => texts), ...shared]),
      assets: own.map(({ asset_id, texts }) => ({ asset_id, words: toWords([...texts, ...shared]) })),
    };
  });
  const ofAssets = rows.flatMap((row) => row.assets);
  if (ofAssets.length > 0) {
    await tx
      .insert(assetSearchTexts)
      .values(ofAssets)
      .onConflictDoUpdate({ target: assetSearchTexts.asset_id, set: { words: sql`excluded.words` } });
  }
  await tx
    .insert(generationSearchTexts)
    .values(rows.map(({ generation_id: id, words }) => ({ generation_id: id, words })))
    .onConflictDoUpdate({
      target: generation_id,
      set: { words: sql`excluded.words` },
      setWhere: sql`${generationSearchTexts.words} <> excluded.words`,
    });
}

async function indexUploads(tx: Tx, ids: string[]): Promise<void> {
  const rows = await tx
    .select({ id: uploads.id, filename: uploads.filename, created_by: uploads.created_by })
    .from(uploads)
    .where(inArray(uploads.id, ids))
    .orderBy(asc(uploads.id));
  const nameOf = await readCreatorNames(tx, rows);
  const labels = await readLabelTexts(tx, rows);
  if (rows.length === 0) return;
  await tx
    .insert(uploadSearchTexts)
    .values(
      rows.map(({ id, filename, created_by }) => ({
        upload_id: id,
        words: toWords([filename, nameOf(created_by), ...(labels.get(id) ?? [])]),
      })),
    )
    .onConflictDoUpdate({ target: uploadSearchTexts.upload_id, set: { words: sql`excluded.words` } });
}

async function readCreatorNames(tx: Tx, rows: readonly { created_by: string }[]): Promise<(keyId: string) => string> {
  const creatorOf = await readCreators(
    { db: tx },
    rows.map(({ created_by }) => created_by),
  );
  return (key_id) => {
    const { person, name } = creatorOf(key_id);
    return person?.name ?? name;
  };
}

async function readLabelTexts(tx: Tx, media: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const labels = new Map<string, string[]>();
  if (media.length === 0) return labels;
  const { media_id, text } = mediaLabels;
  const ids = media.map(({ id }) => id);
  for (const row of await tx.select({ media_id, text }).from(mediaLabels).where(inArray(media_id, ids)))
    labels.set(row.media_id, [...(labels.get(row.media_id) ?? []), row.text]);
  return labels;
}
