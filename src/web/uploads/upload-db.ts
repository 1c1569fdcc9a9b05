import type { UploadDestination } from './upload-store.ts';

export interface StoredUpload {
  id: string;
  owner: string;
  tab: string;
  kept_at_ms: number;
  place: UploadDestination | null;
  name: string;
  size_bytes: number;
  last_modified: number;
  resource: string | null;
  paused: boolean;
  problem: string | null;
}

const DATABASE = 'emulsion-uploads';
const UPLOADS = 'uploads';
const FILES = 'files';

let database: Promise<IDBDatabase> | undefined;

const openDatabase = () => {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(UPLOADS, { keyPath: 'id' });
      request.result.createObjectStore(FILES);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
  return database;
};

/** @throws {DOMException} if storage is forbidden or full */
async function transact<T>(
  mode: IDBTransactionMode,
  work: (uploads: IDBObjectStore, files: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const transaction = (await openDatabase()).transaction([UPLOADS, FILES], mode);
  const request = work(transaction.objectStore(UPLOADS), transaction.objectStore(FILES));
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(request?.result));
    transaction.addEventListener('abort', () => reject(transaction.error));
  });
}

export const saveStoredUpload = (upload: StoredUpload): Promise<unknown> =>
  transact('readwrite', (uploads) => uploads.put(upload));

export const saveStoredFile = (id: string, file: File): Promise<unknown> =>
  transact('readwrite', (_uploads, files) => files.put(file, id));

export const deleteStoredUpload = (id: string): Promise<unknown> =>
  transact('readwrite', (uploads, files) => {
    files.delete(id);
    return uploads.delete(id);
  });

export const deleteAllStoredUploads = (): Promise<unknown> =>
  transact('readwrite', (uploads, files) => {
    files.clear();
    return uploads.clear();
  });

export const readStoredFile = (id: string): Promise<File | undefined> =>
  transact<File>('readonly', (_uploads, files) => files.get(id));

/**
 * One transaction, so that only one of two tabs gets each; deletes invalid ones.
 * @returns the claimed uploads, oldest first, and the number of all valid ones
 */
export async function claimStoredUploads(
  tab: string,
  isClaimable: (upload: StoredUpload) => boolean,
  isValid: (upload: StoredUpload) => boolean,
): Promise<{ claimed: StoredUpload[]; count: number }> {
  const claimed: StoredUpload[] = [];
  let count = 0;
  await transact('readwrite', (uploads, files) => {
    const request: IDBRequest<StoredUpload[]> = uploads.getAll();
    request.addEventListener('success', () => {
      for (const upload of request.result) {
        if (!isValid(upload)) {
          uploads.delete(upload.id);
          files.delete(upload.id);
          continue;
        }
        count += 1;
        if (!isClaimable(upload)) continue;
        claimed.push({ ...upload, tab });
        uploads.put({ ...upload, tab });
      }
    });
    return undefined;
  });
  return { claimed: claimed.sort((a, b) => a.kept_at_ms - b.kept_at_ms), count };
}
