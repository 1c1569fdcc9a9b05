import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { CompatDeps } from '#server/http/compat/compat-adapter.ts';
import { refuseParameter } from '#server/http/compat/compat-input.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { storeReceived } from '#server/studio/uploads/create-upload.ts';
import { invalidUploadError, uploadTooLargeError } from '#server/studio/uploads/upload-errors.ts';
import { assertUploadSpace, uploadFolder, watchUploadSpace } from '#server/studio/uploads/upload-folder.ts';

export interface ReceiveOptions {
  maxBytes: number;
  checkSpace(chunkBytes: number): Promise<void>;
}

/** Of a key, in all its unfinished uploads. */
const MAX_PARTS = 2_000;

export const partListSchema = z.object({
  parts: z.array(z.object({ partNumber: z.int(), etag: z.string() })).check(z.minLength(1), z.maxLength(MAX_PARTS)),
});
type PartList = z.infer<typeof partListSchema>['parts'];

interface StoredPart {
  file: string;
  upload: string;
  number: number;
  bytes: number;
}

/** Parts wait in the folder of uploads, under names that say whose they are. */
const partName = ({ key_id }: Caller, id: string, number: number) => `${key_id}.${id}.${number}`;

async function listParts({ config }: CompatDeps, { key_id }: Caller): Promise<StoredPart[]> {
  const folder = uploadFolder(config);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(`${key_id}.`));
  const parts = names.map(async (name) => {
    const [, upload = '', number = ''] = name.split('.');
    const file = join(folder, name);
    const bytes = (await stat(file).catch(() => null))?.size ?? 0;
    return { file, upload, number: Number(number), bytes };
  });
  return Promise.all(parts);
}

/**
 * Stores a part, in place of an earlier one with its number.
 * @returns its ETag @throws {ApiError} 400, 408, 413, 422, 429, 503
 */
export async function storePart(
  deps: CompatDeps,
  caller: Caller,
  { id, number, declared }: { id: string; number: number; declared: string | undefined },
  receive: (file: string, limits: ReceiveOptions) => Promise<{ sha256: string }>,
): Promise<string> {
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
    refuseParameter('partNumber', `Parts have numbers from 1 to ${MAX_PARTS}.`);
  const bytes = declared === undefined ? null : Number(declared);
  return deps.openUploads.receive(caller, bytes, async () => {
    const { config } = deps;
    const folder = uploadFolder(config);
    await mkdir(folder, { recursive: true }).catch(throwUnavailable);
    const others = (await listParts(deps, caller)).filter((part) => part.upload !== id || part.number !== number);
    const maxBytes = partLimit(deps, others, id);
    if ((bytes ?? 0) > maxBytes) throw uploadTooLargeError(config);
    await assertUploadSpace(deps, folder, bytes ?? 0);
    const file = join(folder, randomUUID());
    try {
      const { sha256 } = await receive(file, { maxBytes, checkSpace: watchUploadSpace(deps, folder) });
      await rename(file, join(folder, partName(caller, id, number))).catch(throwUnavailable);
      return sha256;
    } finally {
      await rm(file, { force: true });
    }
  });
}

/** @returns how large the next part may be @throws {ApiError} 429 `rate_limit_exceeded` */
function partLimit({ config }: CompatDeps, others: readonly StoredPart[], id: string): number {
  const unfinished = new Set([...others.map(({ upload }) => upload), id]);
  const sum = (parts: readonly StoredPart[]) => parts.reduce((total, { bytes }) => total + bytes, 0);
  const leftBytes = config.maxOpenUploadBytes - sum(others);
  if (unfinished.size > config.maxOpenUploads || others.length >= MAX_PARTS || leftBytes <= 0)
    throw new ApiError(
      'rate_limit_exceeded',
      'This key has too many unfinished uploads. Complete one, then try again.',
      {
        retry_after_seconds: 30,
      },
    );
  return Math.min(leftBytes, config.maxUploadBytes - sum(others.filter(({ upload }) => upload === id)));
}

/** Joins the parts of the list and stores the file. @throws {ApiError} 400 if one is missing or another; as `storeReceived` */
export async function completeParts(
  deps: CompatDeps,
  caller: Caller,
  { id, name, parts, signal }: { id: string; name: string | null; parts: PartList; signal: AbortSignal },
): Promise<void> {
  const stored = new Map(
    (await listParts(deps, caller)).filter(({ upload }) => upload === id).map((part) => [part.number, part]),
  );
  const listed = parts.map(({ partNumber, etag }, index) => {
    const part = stored.get(partNumber);
    if (!part || partNumber <= (parts[index - 1]?.partNumber ?? 0))
      throw invalidUploadError(`Part ${partNumber} is missing, or not in order.`);
    return { ...part, etag };
  });
  const bytes = listed.reduce((total, part) => total + part.bytes, 0);
  if (bytes > deps.config.maxUploadBytes) throw uploadTooLargeError(deps.config);
  await storeReserved(deps, caller, {
    id,
    bytes,
    signal,
    async receive(file, checkSpace) {
      const whole = createHash('sha256');
      const handle = await open(file, 'wx').catch(throwUnavailable);
      try {
        for (const part of listed) {
          const hash = createHash('sha256');
          for await (const chunk of createReadStream(part.file) as AsyncIterable<Buffer>) {
            await checkSpace(chunk.length);
            hash.update(chunk);
            whole.update(chunk);
            await handle.appendFile(chunk).catch(throwUnavailable);
          }
          if (hash.digest('hex') !== part.etag.replaceAll('"', ''))
            throw invalidUploadError(`Part ${part.number} is not the one of this list.`);
        }
      } finally {
        await handle.close();
      }
      return { filename: name, sha256: whole.digest('hex') };
    },
  });
}

/** @throws {ApiError} 404 if another request has stored a file under the id; as `storeReceived` */
export async function storeReserved(...parameters: Parameters<typeof storeReceived>): Promise<void> {
  try {
    await storeReceived(...parameters);
  } catch (error) {
    throw sqlStateOf(error) === UNIQUE_VIOLATION ? usedAddressError(error) : error;
  }
}

const UNIQUE_VIOLATION = '23505';

export const usedAddressError = (cause?: unknown): ApiError =>
  new ApiError('not_found', 'This upload address has expired or was used. Start the upload again.', { cause });

export async function removeParts(deps: CompatDeps, caller: Caller, id: string): Promise<void> {
  const parts = (await listParts(deps, caller)).filter(({ upload }) => upload === id);
  await Promise.all(parts.map(({ file }) => rm(file, { force: true })));
}
