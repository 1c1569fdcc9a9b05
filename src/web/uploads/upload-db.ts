import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { UploadDestination } from './upload-store.ts';

export interface StoredUpload {
  id: string;
  owner: string;
  tab: string;
  keptAtMs: number;
  place: UploadDestination | null;
  name: string;
  size_bytes: number;
  last_modified: number;
  resource: string | null;
  paused: boolean;
  problem: string | null;
}

interface Schema extends DBSchema {
  uploads: { key: string; value: StoredUpload };
  files: { key: string; value: File };
}

let database: Promise<IDBPDatabase<Schema>> | undefined;

/** @throws {DOMException} if storage is forbidden, as all below; also if it is full */
const openDatabase = () => {
  database ??= openDB<Schema>('emulsion-uploads', 1, {
    upgrade: (db) => {
      db.createObjectStore('uploads', { keyPath: 'id' });
      db.createObjectStore('files');
    },
  });
  return database;
};

async function openStores() {
  const transaction = (await openDatabase()).transaction(['uploads', 'files'], 'readwrite');
  return {
    uploads: transaction.objectStore('uploads'),
    files: transaction.objectStore('files'),
    done: transaction.done,
  };
}

export const saveStoredUpload = async (upload: StoredUpload): Promise<unknown> =>
  (await openDatabase()).put('uploads', upload);

export const saveStoredFile = async (id: string, file: File): Promise<unknown> =>
  (await openDatabase()).put('files', file, id);

export async function deleteStoredUpload(id: string): Promise<void> {
  const { uploads, files, done } = await openStores();
  await Promise.all([uploads.delete(id), files.delete(id), done]);
}

export async function deleteAllStoredUploads(): Promise<void> {
  const { uploads, files, done } = await openStores();
  await Promise.all([uploads.clear(), files.clear(), done]);
}

export const readStoredFile = async (id: string): Promise<File | undefined> => (await openDatabase()).get('files', id);

/**
 * One transaction, so that only one of two tabs gets each; deletes invalid ones.
 * @returns the claimed uploads, oldest first, and the number of all valid ones
 */
export async function claimStoredUploads(
  tab: string,
  isClaimable: (upload: StoredUpload) => boolean,
  isValid: (upload: StoredUpload) => boolean,
): Promise<{ claimed: StoredUpload[]; count: number }> {
  const { uploads, files, done } = await openStores();
  const { valid = [], invalid = [] } = Object.groupBy(await uploads.getAll(), (upload) =>
    isValid(upload) ? 'valid' : 'invalid',
  );
  const claimed = valid.filter(isClaimable).map((upload) => ({ ...upload, tab }));
  await Promise.all([
    ...invalid.flatMap(({ id }) => [uploads.delete(id), files.delete(id)]),
    ...claimed.map((upload) => uploads.put(upload)),
    done,
  ]);
  return { claimed: claimed.sort((a, b) => a.keptAtMs - b.keptAtMs), count: valid.length };
}
