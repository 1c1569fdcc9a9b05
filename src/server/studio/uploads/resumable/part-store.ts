import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, ERRORS, type KvStore, Upload } from '@tus/server';
import { asc, eq, sql } from 'drizzle-orm';
import { resumableParts, resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { invalidUploadError } from '#server/studio/uploads/upload-errors.ts';

/** In memory while it arrives. A killed process loses at most this much of an upload. */
const PART_BYTES = 5 * 1_048_576;
/** Bounds the objects of an upload that arrives in small pieces. */
const MAX_PARTS = 5_000;

/**
 * Stores the bytes of unfinished uploads as objects of the media storage, so that any process can continue them. Their
 * rows say what has arrived. Orphan cleanup deletes the objects of parts without a row.
 */
export class PartStore extends DataStore {
  readonly #deps: Deps;
  readonly #uploads: KvStore<Upload>;

  constructor(deps: Deps, uploads: KvStore<Upload>) {
    super();
    this.#deps = deps;
    this.#uploads = uploads;
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#uploads.set(upload.id, upload);
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const upload = await this.#uploads.get(id);
    if (!upload) throw ERRORS.FILE_NOT_FOUND;
    const { offset } = await countParts(this.#deps.db, id);
    return new Upload({ ...upload, offset });
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    const upload = await this.#uploads.get(id);
    if (!upload) throw ERRORS.FILE_NOT_FOUND;
    upload.size = size;
    await this.#uploads.set(id, upload);
  }

  /** Also keeps what arrived before the stream failed. @throws {StorageError}; the error of the stream */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    let at = offset;
    let chunks: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      if (size === 0) return;
      const bytes = Buffer.concat(chunks);
      chunks = [];
      size = 0;
      await savePart(this.#deps, id, at, bytes);
      at += bytes.length;
    };
    const iterator = readable[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      const next = await iterator.next().catch(async (error: unknown) => {
        await flush();
        throw error;
      });
      if (next.done) break;
      chunks.push(next.value);
      size += next.value.length;
      if (size >= PART_BYTES) await flush();
    }
    await flush();
    return at;
  }
}

async function savePart({ db, storage, log }: Deps, id: string, offset: number, bytes: Buffer): Promise<void> {
  const storageKey = `resumable/${id}/${randomUUID()}`;
  await storage.put(storageKey, toStream(bytes));
  try {
    await db.transaction(async (tx) => {
      const [row] = await tx
        .select({ id: resumableUploads.id })
        .from(resumableUploads)
        .where(eq(resumableUploads.id, id))
        .for('update');
      if (!row) throw ERRORS.FILE_NOT_FOUND;
      const received = await countParts(tx, id);
      // This request lost its lock, and the next one has written.
      if (received.offset !== offset)
        throw new ApiError('service_unavailable', 'Another request has taken over this upload.', {
          retry_after_seconds: 1,
        });
      if (received.parts >= MAX_PARTS)
        throw invalidUploadError(`The upload arrived in more than ${MAX_PARTS} pieces. Send larger ones.`);
      await tx
        .insert(resumableParts)
        .values({ resumable_id: id, offset_bytes: offset, size_bytes: bytes.length, storage_key: storageKey });
    });
  } catch (error) {
    await storage.delete(storageKey).catch((cause: unknown) => log.warn({ err: cause }, 'could not delete a part'));
    throw error;
  }
}

async function* toStream(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function countParts(db: Pick<Deps['db'], 'select'>, id: string): Promise<{ offset: number; parts: number }> {
  const [row] = await db
    .select({
      offset: sql<number>`coalesce(sum(${resumableParts.size_bytes}), 0)::bigint`.mapWith(Number),
      parts: sql<number>`count(*)`.mapWith(Number),
    })
    .from(resumableParts)
    .where(eq(resumableParts.resumable_id, id));
  return row ?? { offset: 0, parts: 0 };
}

const selectKeys = (db: Deps['db'], id: string) =>
  db
    .select({ storage_key: resumableParts.storage_key })
    .from(resumableParts)
    .where(eq(resumableParts.resumable_id, id))
    .orderBy(asc(resumableParts.offset_bytes));

/** Writes all parts to one file. @throws {StorageError} */
export async function joinParts({ db, storage }: Deps, id: string, file: string): Promise<void> {
  const parts = await selectKeys(db, id);
  async function* readAll(): AsyncGenerator<Buffer> {
    for (const { storage_key } of parts) yield* (await storage.read(storage_key)) as AsyncIterable<Buffer>;
  }
  await pipeline(readAll, createWriteStream(file, { flags: 'wx' }));
}

/** Deletes the parts of an upload. Orphan cleanup deletes the objects that fail here. */
export async function deleteParts({ db, storage, log }: Deps, id: string): Promise<void> {
  const parts = await selectKeys(db, id);
  await db.delete(resumableParts).where(eq(resumableParts.resumable_id, id));
  await Promise.all(parts.map(({ storage_key }) => storage.delete(storage_key))).catch((error: unknown) =>
    log.warn({ err: error, resumable_id: id }, 'could not delete the parts of an upload'),
  );
}
