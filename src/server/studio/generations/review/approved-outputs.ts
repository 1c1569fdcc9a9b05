import type { Db } from '#server/platform/db/db.ts';
import { join } from 'node:path';
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { TASKS } from '#contract/catalog.ts';
import type { MediaKind } from '#contract/task.ts';
import type { Deps } from '#server/platform/deps.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { readReceivedFiles } from '#server/studio/assets/received-files.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import {
  type AssetDraft,
  validateOutputCount,
  validateOutputData,
  storeOutputs,
} from '#server/studio/generations/store-outputs.ts';
import type { ReviewRow } from './read-review.ts';

export interface ApprovedOutputs {
  added: readonly AssetDraft[];
  replaced: readonly (typeof assets.$inferSelect)[];
}

/**
 * The approved result, validated against the task's output contract: the given uploads, or else the held outputs.
 * Uploads are copied, because they may be deleted later.
 * @throws {ApiError} 422 with the field if the result does not fit or a file is missing; {StorageError}
 */
export async function resolveApprovedOutputs(
  deps: Deps,
  row: GenerationRow,
  { held_data }: ReviewRow,
  uploadIds: readonly string[] | undefined,
): Promise<ApprovedOutputs> {
  const held = await deps.db
    .select()
    .from(assets)
    .where(eq(assets.generation_id, row.id))
    .orderBy(asc(assets.position));
  if (!uploadIds) {
    const files = (await readReceivedFiles(deps, [row.id])).get(row.id) ?? [];
    validateOutputs(row, held_data, held, files.length);
    return { added: [], replaced: [] };
  }
  const replacements = await findUploads(deps.db, row.organization_id, uploadIds);
  validateOutputs(row, held_data, replacements);
  return { added: await copyUploads(deps, row, held_data, replacements), replaced: held };
}

const MEDIA_KIND_LABELS = { image: 'images', video: 'videos', audio: 'audio files' } as const satisfies Record<
  MediaKind,
  string
>;

function validateOutputs(
  row: GenerationRow,
  data: Record<string, unknown> | null,
  outputs: readonly { type: MediaKind }[],
  /** Files that are no media here count as results, because the person has seen what they are. */
  fileCount = 0,
): void {
  const { name, output, media_type } = TASKS[row.task];
  const kinds = MEDIA_KIND_LABELS[media_type];
  const wrong = outputs.findIndex(({ type }) => type !== media_type);
  if (wrong >= 0) throw invalidOutputError(`upload_ids.${wrong}`, `“${name}” returns only ${kinds}.`);
  if (validateOutputCount(output, outputs.length + fileCount) !== null) {
    const { min_assets, max_assets } = output;
    const max = max_assets === null ? '' : ` and at most ${max_assets}`;
    throw invalidOutputError(
      'upload_ids',
      `“${name}” returns at least ${min_assets}${max} ${kinds}; there are ${outputs.length}.`,
    );
  }
  if (validateOutputData(output, data) !== null) {
    throw invalidOutputError(
      'decision',
      `“${name}” also returns data, and the provider’s data is missing or invalid. Reject this generation instead.`,
    );
  }
}

const invalidOutputError = (path: string, message: string) =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path, message }] });

type UploadRow = typeof uploads.$inferSelect;

async function findUploads(db: Db, organizationId: string, ids: readonly string[]): Promise<UploadRow[]> {
  const rows = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.organization_id, organizationId), inArray(uploads.id, [...ids]), isNull(uploads.removed_at)));
  return ids.map((id, index) => {
    const row = rows.find((upload) => upload.id === id);
    if (row) return row;
    throw invalidOutputError(`upload_ids.${index}`, 'This upload does not exist.');
  });
}

async function copyUploads(
  deps: Deps,
  row: GenerationRow,
  data: Record<string, unknown> | null,
  sources: readonly UploadRow[],
): Promise<AssetDraft[]> {
  return withTempDir(deps.config.mediaDir, async (folder) => {
    const files = sources.map((_, index) => join(folder, `upload-${index}`));
    for (const [index, { storage_key }] of sources.entries()) {
      await deps.storage.copyToFile(storage_key, files[index] ?? '').catch((error: unknown) => {
        if (!(error instanceof StorageError) || error.code !== 'not_found') throw error;
        throw invalidOutputError(`upload_ids.${index}`, 'The file of this upload is missing. Upload it again.');
      });
    }
    return storeOutputs(deps, row, { files, data }, new AbortController().signal);
  });
}
