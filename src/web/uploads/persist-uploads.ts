import { deleteResumable } from './transfer-file.ts';
import { fetchUploadCapabilities } from './upload-capabilities.ts';
import {
  claimStoredUploads,
  deleteAllStoredUploads,
  deleteStoredUpload,
  readStoredFile,
  saveStoredFile,
  saveStoredUpload,
  type StoredUpload,
} from './upload-db.ts';
import {
  addUploadItems,
  getUploadFile,
  getUploadItems,
  subscribeUploads,
  type UploadItem,
  type UploadItemState,
} from './upload-store.ts';

const MIN_FREE_QUOTA_SHARE = 0.5;
const STORED_FOR_MS = 7 * 86_400_000;

const storedUploads = new Map<string, StoredUpload>();
let previousItems: readonly UploadItem[] = [];
/** Writes are sequential, so that the last one wins. */
let pendingWrites: Promise<unknown> = Promise.resolve();

const enqueueWrite = (write: () => Promise<unknown>) => {
  // Without storage, uploads end with the page, which asks before it is closed.
  pendingWrites = pendingWrites.then(write).catch(() => undefined);
};

const isPersistable = ({ state, can_retry }: UploadItem) => state !== 'done' && (state !== 'failed' || can_retry);

const toStoredUpload = (item: UploadItem, record: StoredUpload): StoredUpload => ({
  ...record,
  resource: item.tusUrl ?? null,
  paused: item.suspend_reason === 'paused',
  problem: item.state === 'failed' ? item.problem : null,
});

const isSameRecord = (a: StoredUpload, b: StoredUpload) =>
  a.resource === b.resource && a.paused === b.paused && a.problem === b.problem;

async function storeNewItem(item: UploadItem): Promise<void> {
  const file = getUploadFile(item.id);
  const { owner } = await fetchUploadCapabilities();
  const current = getUploadItems().find(({ id }) => id === item.id);
  if (!file || !current || !isPersistable(current)) return;
  startHeartbeat();
  const { id, destination, name, size_bytes } = item;
  const identity = { id, owner, tab: tabId, keptAtMs: Date.now(), place: destination, name, size_bytes };
  const initial = { resource: null, paused: false, problem: null };
  const record = toStoredUpload(current, { ...identity, last_modified: file.lastModified, ...initial });
  storedUploads.set(id, record);
  setStoredUploadsFlag(true);
  await saveStoredUpload(record);
  if (await hasRoom(file)) await saveStoredFile(id, file);
}

async function hasRoom({ size }: File): Promise<boolean> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate()) ?? {};
  // The quota is unknown on insecure origins: small files are worth a try.
  return quota === 0 ? size < 50_000_000 : usage + size < quota * MIN_FREE_QUOTA_SHARE;
}

function removeStoredItem(id: string): void {
  storedUploads.delete(id);
  enqueueWrite(() => deleteStoredUpload(id));
}

function syncStoredUploads(): void {
  const items = getUploadItems();
  const previousIds = new Set(previousItems.map(({ id }) => id));
  const ids = new Set(items.map(({ id }) => id));
  for (const { id, tusUrl, upload_id } of previousItems) {
    if (ids.has(id)) continue;
    if (tusUrl !== undefined && upload_id === null) void deleteResumable(tusUrl);
    removeStoredItem(id);
  }
  for (const item of items) {
    const record = storedUploads.get(item.id);
    if (!record) {
      if (!previousIds.has(item.id) && isPersistable(item)) enqueueWrite(() => storeNewItem(item));
      continue;
    }
    if (!isPersistable(item)) {
      removeStoredItem(item.id);
      continue;
    }
    const next = toStoredUpload(item, record);
    if (isSameRecord(record, next)) continue;
    storedUploads.set(item.id, next);
    enqueueWrite(() => saveStoredUpload(next));
  }
  previousItems = items;
}

export function persistUploads(): void {
  subscribeUploads(syncStoredUploads);
  syncStoredUploads();
}

export function clearStoredUploads(): void {
  storedUploads.clear();
  setStoredUploadsFlag(false);
  enqueueWrite(deleteAllStoredUploads);
}

export async function restoreUploads(): Promise<void> {
  const { owner } = await fetchUploadCapabilities();
  const { claimed, count } = await claimStoredUploads(
    tabId,
    ({ tab }) => !isTabAlive(tab),
    (stored) => stored.owner === owner && stored.keptAtMs > Date.now() - STORED_FOR_MS,
  );
  setStoredUploadsFlag(count > 0);
  if (claimed.length === 0) return;
  const files = await Promise.all(claimed.map(({ id }) => readStoredFile(id).catch(() => undefined)));
  for (const stored of claimed) storedUploads.set(stored.id, stored);
  startHeartbeat();
  addUploadItems(
    claimed.map((stored, at) => ({ item: toUploadItem(stored, files[at] !== undefined), file: files[at] })),
  );
}

function restoredState({ problem, paused }: StoredUpload, hasFile: boolean): UploadItemState {
  if (!hasFile) return 'lost';
  if (problem !== null) return 'failed';
  return paused ? 'suspended' : 'waiting';
}

function toUploadItem(stored: StoredUpload, hasFile: boolean): UploadItem {
  const { id, place, name, size_bytes, problem, resource } = stored;
  const state = restoredState(stored, hasFile);
  return {
    id,
    destination: place,
    name,
    size_bytes,
    sentBytes: 0,
    bytesPerSecond: null,
    state,
    suspend_reason: state === 'suspended' ? 'paused' : null,
    problem: state === 'failed' ? problem : null,
    can_retry: state === 'failed',
    upload_id: null,
    upload: null,
    ...(resource === null ? {} : { tusUrl: resource }),
  };
}

export const STORED_UPLOADS_FLAG = 'emulsion.uploads';

/** With the flag, pages need not open the database to find unfinished uploads. */
function setStoredUploadsFlag(on: boolean): void {
  try {
    if (on) localStorage.setItem(STORED_UPLOADS_FLAG, '1');
    else localStorage.removeItem(STORED_UPLOADS_FLAG);
  } catch {
    // Without storage there are no stored uploads.
  }
}

const tabId = Math.random().toString(36).slice(2, 12);

const PREFIX = 'emulsion.upload-tab.';
const HEARTBEAT_MS = 20_000;
/** Browsers may throttle the timers of a hidden tab to one a minute. */
const TAB_EXPIRY_MS = 150_000;

const writeHeartbeat = () => {
  try {
    localStorage.setItem(PREFIX + tabId, String(Date.now()));
  } catch {
    // Without storage there are no uploads to claim.
  }
};

let timer: ReturnType<typeof setInterval> | undefined;

/** While it runs, other tabs do not claim the uploads of this one. */
function startHeartbeat(): void {
  if (timer !== undefined) return;
  writeHeartbeat();
  timer = setInterval(writeHeartbeat, HEARTBEAT_MS);
  window.addEventListener('pagehide', () => {
    try {
      localStorage.removeItem(PREFIX + tabId);
    } catch {
      // Without storage there is no heartbeat to remove.
    }
  });
  window.addEventListener('pageshow', writeHeartbeat);
}

function isTabAlive(tab: string): boolean {
  if (tab === tabId) return true;
  try {
    return Date.now() - Number(localStorage.getItem(PREFIX + tab) ?? 0) < TAB_EXPIRY_MS;
  } catch {
    return false;
  }
}
