import type { UploadDestination } from './upload-store.ts';

/** What this browser keeps of a file on its way, so that a reload does not end it. No secret is in it. */
export interface StoredUpload {
  id: string;
  /** Whose key sends it. */
  owner: string;
  /** The tab that sends it. */
  tab: string;
  kept_at_ms: number;
  place: UploadDestination | null;
  name: string;
  size_bytes: number;
  last_modified: number;
  /** Where its parts are collected; useless without the key. */
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
    const asked = indexedDB.open(DATABASE, 1);
    asked.addEventListener('upgradeneeded', () => {
      asked.result.createObjectStore(UPLOADS, { keyPath: 'id' });
      asked.result.createObjectStore(FILES);
    });
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(asked.error));
  });
  return database;
};

/** Runs `work` in one transaction. @throws {DOMException} where the browser forbids storage, or it is full */
async function transact<T>(
  mode: IDBTransactionMode,
  work: (uploads: IDBObjectStore, files: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const transaction = (await openDatabase()).transaction([UPLOADS, FILES], mode);
  const asked = work(transaction.objectStore(UPLOADS), transaction.objectStore(FILES));
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(asked?.result));
    transaction.addEventListener('abort', () => reject(transaction.error));
  });
}

export const saveStoredUpload = (kept: StoredUpload): Promise<unknown> =>
  transact('readwrite', (uploads) => uploads.put(kept));

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
 * Takes over what no living tab sends, for good: of two tabs that ask at once, one gets it.
 * @param takes whether one is taken over; those that are not `wanted` are forgotten
 * @returns what was taken over, in the order in which it was given, and how many are kept in all
 */
export async function claimStoredUploads(
  tab: string,
  takes: (kept: StoredUpload) => boolean,
  wanted: (kept: StoredUpload) => boolean,
): Promise<{ taken: StoredUpload[]; count: number }> {
  const taken: StoredUpload[] = [];
  let count = 0;
  await transact('readwrite', (uploads, files) => {
    const all: IDBRequest<StoredUpload[]> = uploads.getAll();
    all.addEventListener('success', () => {
      for (const kept of all.result) {
        if (!wanted(kept)) {
          uploads.delete(kept.id);
          files.delete(kept.id);
          continue;
        }
        count += 1;
        if (!takes(kept)) continue;
        taken.push({ ...kept, tab });
        uploads.put({ ...kept, tab });
      }
    });
    return undefined;
  });
  return { taken: taken.sort((a, b) => a.kept_at_ms - b.kept_at_ms), count };
}
