import {
  deleteAllStoredUploads,
  deleteStoredUpload,
  saveStoredFile,
  saveStoredUpload,
  type StoredUpload,
} from './upload-db.ts';
import { setStoredUploadsFlag } from './stored-uploads-flag.ts';
import { fetchUploadCapabilities } from './upload-capabilities.ts';
import { startHeartbeat, tab_id } from './tab-heartbeat.ts';
import { deleteResumable } from './transfer-file.ts';
import { getUploadFile, getUploadItems, type UploadItem, subscribeUploads } from './upload-store.ts';

/** A file is copied only where at least this share of the browser's room stays free. */
const FREE_SHARE = 0.5;

const storedUploads = new Map<string, StoredUpload>();
let previousItems: readonly UploadItem[] = [];
/** One after the other: what was written last is what is kept. */
let pendingWrites: Promise<unknown> = Promise.resolve();

const enqueueWrite = (work: () => Promise<unknown>) => {
  // Where the browser keeps nothing, uploads end with the page, which asks before it is left.
  pendingWrites = pendingWrites.then(work).catch(() => undefined);
};

/** Whether a reload is to continue it. What has arrived is among the uploads. */
const isPersistable = ({ state, again }: UploadItem) => state !== 'done' && (state !== 'failed' || again);

const toStoredUpload = (sending: UploadItem, known: StoredUpload): StoredUpload => ({
  ...known,
  resource: sending.tus_url ?? null,
  paused: sending.hold === 'paused',
  problem: sending.state === 'failed' ? sending.problem : null,
});

const isSameRecord = (a: StoredUpload, b: StoredUpload) =>
  a.resource === b.resource && a.paused === b.paused && a.problem === b.problem;

async function storeNewItem(sending: UploadItem): Promise<void> {
  const file = getUploadFile(sending.id);
  const { owner } = await fetchUploadCapabilities();
  const now = getUploadItems().find(({ id }) => id === sending.id);
  if (!file || owner === null || !now || !isPersistable(now)) return;
  startHeartbeat();
  const { id, place, name, size_bytes } = sending;
  const about = { id, owner, tab: tab_id, kept_at_ms: Date.now(), place, name, size_bytes };
  const nothing = { resource: null, paused: false, problem: null };
  const record = toStoredUpload(now, { ...about, last_modified: file.lastModified, ...nothing });
  storedUploads.set(id, record);
  setStoredUploadsFlag(true);
  await saveStoredUpload(record);
  if (await hasRoom(file)) await saveStoredFile(id, file);
}

async function hasRoom({ size }: File): Promise<boolean> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate()) ?? {};
  // Insecure addresses do not tell: small files are worth a try.
  return quota === 0 ? size < 50_000_000 : usage + size < quota * FREE_SHARE;
}

function removeStoredItem(id: string): void {
  storedUploads.delete(id);
  enqueueWrite(() => deleteStoredUpload(id));
}

function syncStoredUploads(): void {
  const now = getUploadItems();
  const known = new Set(previousItems.map(({ id }) => id));
  const there = new Set(now.map(({ id }) => id));
  for (const { id, tus_url, upload_id } of previousItems) {
    if (there.has(id)) continue;
    if (tus_url !== undefined && upload_id === null) void deleteResumable(tus_url);
    removeStoredItem(id);
  }
  for (const sending of now) {
    const record = storedUploads.get(sending.id);
    if (!record) {
      if (!known.has(sending.id) && isPersistable(sending)) enqueueWrite(() => storeNewItem(sending));
      continue;
    }
    if (!isPersistable(sending)) {
      removeStoredItem(sending.id);
      continue;
    }
    const next = toStoredUpload(sending, record);
    if (isSameRecord(record, next)) continue;
    storedUploads.set(sending.id, next);
    enqueueWrite(() => saveStoredUpload(next));
  }
  previousItems = now;
}

/** Keeps what is on its way in this browser, as it goes. Call once. */
export function persistUploads(): void {
  subscribeUploads(syncStoredUploads);
  syncStoredUploads();
}

/** Takes note of what is kept already, before it is listed. */
export function hydrateStoredUploads(records: readonly StoredUpload[]): void {
  for (const record of records) storedUploads.set(record.id, record);
  if (records.length > 0) startHeartbeat();
}

/** Nothing stays in this browser. */
export function clearStoredUploads(): void {
  storedUploads.clear();
  setStoredUploadsFlag(false);
  enqueueWrite(deleteAllStoredUploads);
}
