import { type StoredUpload, readStoredFile, claimStoredUploads } from './upload-db.ts';
import { fetchUploadCapabilities } from './upload-capabilities.ts';
import { isTabAlive, tab_id } from './tab-heartbeat.ts';
import { setStoredUploadsFlag } from './stored-uploads-flag.ts';
import { hydrateStoredUploads } from './persist-uploads.ts';
import { addUploadItems, type UploadItem, type UploadItemState } from './upload-store.ts';

const STORED_FOR_MS = 7 * 86_400_000;

/** Adds uploads that another page left unfinished to the store. Those of another key are deleted. */
export async function restoreUploads(): Promise<void> {
  const { owner } = await fetchUploadCapabilities();
  if (owner === null) return;
  const { claimed, count } = await claimStoredUploads(
    tab_id,
    ({ tab }) => !isTabAlive(tab),
    (stored) => stored.owner === owner && stored.kept_at_ms > Date.now() - STORED_FOR_MS,
  );
  setStoredUploadsFlag(count > 0);
  if (claimed.length === 0) return;
  const files = await Promise.all(claimed.map(({ id }) => readStoredFile(id).catch(() => undefined)));
  hydrateStoredUploads(claimed);
  addUploadItems(
    claimed.map((stored, at) => ({ item: toUploadItem(stored, files[at] !== undefined), file: files[at] })),
  );
}

function restoredState({ problem, paused }: StoredUpload, has_file: boolean): UploadItemState {
  if (!has_file) return 'lost';
  if (problem !== null) return 'failed';
  return paused ? 'suspended' : 'waiting';
}

function toUploadItem(stored: StoredUpload, has_file: boolean): UploadItem {
  const { id, place, name, size_bytes, problem, resource } = stored;
  const state = restoredState(stored, has_file);
  return {
    id,
    destination: place,
    name,
    size_bytes,
    sent_bytes: 0,
    bytes_per_second: null,
    state,
    suspend_reason: state === 'suspended' ? 'paused' : null,
    problem: state === 'failed' ? problem : null,
    can_retry: state === 'failed',
    upload_id: null,
    upload: null,
    ...(resource === null ? {} : { tus_url: resource }),
  };
}
