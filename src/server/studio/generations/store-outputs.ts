import { join } from 'node:path';
import { TASKS } from '#contract/catalog.ts';
import { findAddedVersion } from '#contract/model-catalog.ts';
import { OUTPUT_DATA } from '#contract/resources/output-data.ts';
import type { OutputContract } from '#contract/task.ts';
import type { Deps } from '#server/platform/deps.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { addLabels, orderLabels } from '#server/studio/assets/add-labels.ts';
import { numberSource } from '#server/studio/assets/number-source.ts';
import { rememberStored } from '#server/studio/assets/measured-files.ts';
import { indexMedia } from '#server/studio/assets/search-text.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import {
  type CredentialDraft,
  openSigner,
  type OutputSigner,
  type SignableResult,
} from '#server/studio/credentials/sign-outputs.ts';
import type { CompletedResult } from './results/completed-result.ts';
import type { EngineResult } from '#server/models/engine/engine.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { type MediaFileInfo, probeFile } from '#server/platform/media/probe-file.ts';
import { linkOrCopy } from '#server/platform/core/link-or-copy.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { RunError } from './failure.ts';
import type { GenerationRow } from './read/generation-row.ts';
import { type ReceivedFileDraft, storeReceivedFile } from '#server/studio/assets/received-files.ts';

export type AssetDraft = typeof assets.$inferInsert & {
  credentials: CredentialDraft;
  labels: ReadonlyMap<string, string>;
};
type StoredFile = Pick<AssetDraft, 'storage_key'>;
type StorableResult = SignableResult &
  Pick<EngineResult, 'lost_marks'> &
  Pick<CompletedResult, 'signed' | 'is_spooled'>;

/**
 * Validates an engine's result against the task's output contract and stores it. Every file is probed first. After an
 * error nothing stays stored.
 * @throws {RunError} `engine_failed` if the result breaks the output contract; {StorageError}; {MediaError}
 */
export async function storeOutputs(
  deps: Deps,
  row: GenerationRow,
  result: StorableResult & Pick<EngineResult, 'data'>,
  signal: AbortSignal,
): Promise<AssetDraft[]> {
  const { output, media_type } = TASKS[row.task];
  const problem =
    (row.model_version === null ? null : validateAddedOutput(deps, row, result)) ??
    validateOutputCount(output, result.files.length) ??
    validateOutputData(output, result.data);
  if (problem) throw outputContractError(problem);
  const drafts: AssetDraft[] = [];
  await storeAll(deps, [drafts], () =>
    withSigner(deps, row, result, signal, async (files, sign) => {
      for (const [position, file] of files.entries()) {
        const media = await probeFile(deps.media, file, { owner: row.created_by, signal });
        // What an added model returns, its provider decides.
        if (media.kind !== media_type && row.model_version === null)
          throw outputContractError(`output ${position} is ${media.mime_type}`);
        drafts.push(await storeFile(deps, row, { position, index: position, media, file, result }, sign, signal));
      }
    }),
  );
  return drafts;
}

/** Runs `store`, which adds what it stores to the lists. After an error their files are deleted. */
async function storeAll(deps: Deps, lists: readonly StoredFile[][], store: () => Promise<void>): Promise<void> {
  try {
    await store();
  } catch (error) {
    await discardOutputs(deps, lists.flat());
    throw error;
  }
}

/** A model that returns files by its schema has made nothing without one. */
function validateAddedOutput(
  { offering }: Deps,
  row: GenerationRow,
  { files, data }: Pick<EngineResult, 'files' | 'data'>,
): string | null {
  if (files.length > 0 || data?.['other_files'] !== undefined) return null;
  const promised = findAddedVersion(offering.current(), row)?.definition.normalized.output.files ?? [];
  return data === null || promised.length > 0 ? 'no file' : null;
}

export interface StoredResult {
  outputs: AssetDraft[];
  /** Files that are no media here. */
  received: ReceivedFileDraft[];
}

/**
 * Stores the files of a result for review: every medium, of any kind and number, and the other files as they are. After an
 * error nothing stays stored.
 */
export async function storeOutputsForReview(
  deps: Deps,
  row: GenerationRow,
  result: StorableResult,
  signal: AbortSignal,
): Promise<StoredResult> {
  const outputs: AssetDraft[] = [];
  const received: ReceivedFileDraft[] = [];
  await storeAll(deps, [outputs, received], () =>
    withSigner(deps, row, result, signal, async (files, sign) => {
      for (const [index, file] of files.entries()) {
        const media = await probeFile(deps.media, file, { owner: row.created_by, signal }).catch((error: unknown) => {
          if (error instanceof MediaError) return error;
          throw error;
        });
        const position = outputs.length;
        if (media instanceof MediaError)
          received.push(await storeReceivedFile(deps, row, { file, position: index, reason: media.message }, signal));
        else outputs.push(await storeFile(deps, row, { position, index, media, file, result }, sign, signal));
      }
    }),
  );
  return { outputs, received };
}

/**
 * Files that were signed before storage failed are not signed again. Those of the spool stay as they are: this process
 * may be killed before it has settled, and the next one can't tell its own signature from the provider's.
 */
const withSigner = (
  deps: Deps,
  row: GenerationRow,
  result: StorableResult,
  signal: AbortSignal,
  store: (files: readonly string[], sign: OutputSigner) => Promise<void>,
): Promise<void> =>
  withTempDir(deps.config.mediaDir, async (folder) => {
    const files = result.is_spooled ? await linkFiles(result.files, folder) : result.files;
    const sign = files.length === 0 ? null : await openSigner(deps, row, { ...result, files }, { folder, signal });
    const signed = result.is_spooled ? { ...result.signed } : (result.signed ??= {});
    await store(files, async (output) => {
      if (!sign) throw new Error('A result without files has no output.');
      return (signed[output.index] ??= await sign(output));
    });
  });

const linkFiles = (files: readonly string[], folder: string): Promise<string[]> =>
  Promise.all(
    files.map(async (file, index) => {
      const target = join(folder, `output-${index}`);
      await linkOrCopy(file, target);
      return target;
    }),
  );

async function storeFile(
  deps: Deps,
  row: GenerationRow,
  {
    position,
    index,
    media,
    file,
    result: { lost_marks = [] },
  }: { position: number; index: number; media: MediaFileInfo; file: string; result: StorableResult },
  sign: OutputSigner,
  signal: AbortSignal,
): Promise<AssetDraft> {
  const now = deps.clock.now();
  const id = createId('ast', now);
  const storageKey = `outputs/${id}.${media.extension}`;
  const { credentials, has_lost } = await sign({ asset_id: id, media, index });
  const lost = has_lost ? (['c2pa', ...lost_marks] as const) : lost_marks;
  const stored = await deps.storage.put(storageKey, { file }, { signal });
  // Signing has changed the file, but only its size matters here.
  await rememberStored(deps.storage, storageKey, { ...media, size_bytes: stored.size_bytes });
  return {
    id,
    organization_id: row.organization_id,
    generation_id: row.id,
    task: row.task,
    model: row.model,
    position,
    type: media.kind,
    mime_type: media.mime_type,
    storage_key: storageKey,
    ...stored,
    width: media.width,
    height: media.height,
    duration_seconds: media.duration_seconds,
    lost_marks: lost.length === 0 ? null : [...lost],
    created_at: now,
    credentials,
    labels: orderLabels(row.metadata),
  };
}

/** Adds outputs of a generation with their content credentials and labels, and indexes them for the search. */
export async function insertOutputs(deps: Deps, tx: Tx, outputs: readonly AssetDraft[]): Promise<void> {
  const [first] = outputs;
  if (!first) return;
  // All are made from the same source, or named by the same order.
  const { organization_id, source_name, source_id, source_number } = first;
  const isNewSource = source_name != null && source_id != null && source_number === 0;
  const number = isNewSource ? await numberSource(tx, { organization_id, source_name, source_id }) : source_number;
  await tx.insert(assets).values(
    outputs.map(({ credentials: _credentials, labels: _labels, ...asset }) => ({
      ...asset,
      source_number: isNewSource && asset.edits?.length === 0 ? Number(number) + asset.position : number,
    })),
  );
  await tx
    .insert(assetCredentials)
    .values(outputs.map(({ id, created_at, credentials }) => ({ asset_id: id, created_at, ...credentials })));
  const { labels, created_at } = first;
  await addLabels(tx, { organization_id, media_ids: outputs.map(({ id }) => id), labels, at: created_at });
  await indexMedia(deps, tx, outputs);
}

/** @returns a problem for the log, or null */
export const validateOutputCount = ({ min_assets, max_assets }: OutputContract, count: number): string | null =>
  count < min_assets || count > (max_assets ?? Infinity) ? `${count} outputs` : null;

/** @returns a problem for the log, or null */
export function validateOutputData({ data }: OutputContract, value: Record<string, unknown> | null): string | null {
  const parsed = OUTPUT_DATA[data].safeParse(value);
  return parsed.success ? null : `data: ${parsed.error.message}`;
}

const outputContractError = (detail: string) =>
  new RunError('engine_failed', 'The result could not be used. Try again.', {
    retryable: true,
    cause: new Error(`The engine broke the task's output contract: ${detail}`),
  });

/** Deletes stored files that no row will reference. The sweeper deletes what fails here. */
export async function discardOutputs({ storage }: Deps, files: readonly StoredFile[]): Promise<void> {
  await Promise.allSettled(files.map(({ storage_key }) => storage.delete(storage_key)));
}
