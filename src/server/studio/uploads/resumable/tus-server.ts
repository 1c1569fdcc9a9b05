import type { Db } from '#server/platform/db/db.ts';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import { type DataStore, type KvStore, type Locker, Server, Upload } from '@tus/server';
import { eq } from 'drizzle-orm';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { OpenUploads } from '#server/studio/uploads/open-uploads.ts';
import { PartStore } from './part-store.ts';
import { resumableFolder } from './find-resumable.ts';

type TusDeps = Deps & { openUploads: OpenUploads };

const HOUR_MS = 3_600_000;

export const TUS_VERSION = '1.0.0';

interface NewTusUpload {
  id: string;
  caller: Caller;
}

/** The reference implementation of tus. Callers handle authorization and locking. */
export interface TusServer {
  /** @param newUpload for a POST @throws for faults; requests that the protocol rejects get an error response */
  handle(request: Request, newUpload?: NewTusUpload): Promise<Response>;
  /** The received bytes of an upload; `size` is undefined while its length is deferred. */
  progress(id: string): Promise<Pick<Upload, 'offset' | 'size'>>;
  /** Discards the bytes after `offset`, where the failed request began, if they are on the disk of this process. */
  truncate(id: string, offset: number): Promise<void>;
  /** Resolves when no write is in progress: the tus server may respond before its last one has finished. */
  settled(id: string): Promise<void>;
}

export function createTusServer(deps: TusDeps): TusServer {
  const directory = resumableFolder(deps.config);
  const configstore = databaseConfigStore(deps.db);
  const datastore = deps.config.s3 ? new PartStore(deps, configstore) : new FileStore({ directory, configstore });
  const settled = trackWrites(datastore);
  const newUploads = new WeakMap<Request, NewTusUpload>();
  const failures = new WeakMap<Request, unknown>();
  const newUploadOf = (request: Request): NewTusUpload => {
    const newUpload = newUploads.get(request);
    if (!newUpload) throw new Error('The request creates no upload.');
    return newUpload;
  };
  const server = new Server({
    path: RESUMABLE_UPLOADS_PATH,
    datastore,
    relativeLocation: true,
    maxSize: deps.config.maxUploadBytes,
    locker: NO_OP_LOCKER,
    namingFunction: (request) => newUploadOf(request).id,
    async onUploadCreate(request, upload) {
      await insertResumable(deps, newUploadOf(request).caller, upload);
      return {};
    },
    onResponseError(request, error) {
      failures.set(request, error);
      return undefined;
    },
  });
  return {
    async handle(request, newUpload) {
      if (newUpload) newUploads.set(request, newUpload);
      const response = await server.handleWeb(request);
      // A fault of the disk or the database, not a rejected request.
      if (response.status === 500) throw failures.get(request) ?? new Error('The tus server failed without an error.');
      return response;
    },
    progress: (id) => datastore.getUpload(id),
    settled,
    async truncate(id, offset) {
      await settled(id);
      const file = join(directory, id);
      const stats = await stat(file).catch(() => null);
      if (stats && stats.size > offset) await truncate(file, offset);
    },
  };
}

/** @returns a function that waits for the write to an upload */
function trackWrites(datastore: DataStore): (id: string) => Promise<void> {
  const writing = new Map<string, Promise<unknown>>();
  const write = datastore.write.bind(datastore);
  datastore.write = async (...args) => {
    const [, id] = args;
    const written = write(...args);
    writing.set(id, written);
    try {
      return await written;
    } finally {
      writing.delete(id);
    }
  };
  return async (id) => {
    await Promise.allSettled([writing.get(id)]);
  };
}

/** Locks are taken in the database, across processes: see `withResumableLock`. */
const NO_OP_LOCKER: Locker = { newLock: () => ({ lock: async () => undefined, unlock: async () => undefined }) };

async function insertResumable(
  { config, db, clock, openUploads }: TusDeps,
  caller: Caller,
  { id, size, metadata }: Upload,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    await openUploads.assertResumable(tx, caller, size ?? null);
    await tx.insert(resumableUploads).values({
      id,
      organization_id: caller.organization_id,
      created_by: caller.key_id,
      metadata: metadata ?? null,
      length_bytes: size ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + config.resumableUploadTtlHours * HOUR_MS),
    });
  });
}

/** Stores upload metadata in the database, where it has an owner and is shared by all processes. */
const databaseConfigStore = (db: Db): KvStore<Upload> => ({
  async get(id) {
    const [row] = await db.select().from(resumableUploads).where(eq(resumableUploads.id, id));
    if (!row) return undefined;
    return new Upload({
      id,
      offset: 0,
      creation_date: row.created_at.toISOString(),
      ...(row.length_bytes === null ? {} : { size: row.length_bytes }),
      ...(row.metadata === null ? {} : { metadata: row.metadata }),
    });
  },
  async set(id, { size }) {
    await db
      .update(resumableUploads)
      .set({ length_bytes: size ?? null })
      .where(eq(resumableUploads.id, id));
  },
  async delete(id) {
    await db.delete(resumableUploads).where(eq(resumableUploads.id, id));
  },
});
