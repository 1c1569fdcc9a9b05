import { type StoredUpload, readStoredFile, claimStoredUploads } from './upload-db.ts';
import { fetchUploadCapabilities } from './upload-capabilities.ts';
import { isTabAlive, tab_id } from './tab-heartbeat.ts';
import { setStoredUploadsFlag } from './stored-uploads-flag.ts';
import { hydrateStoredUploads } from './persist-uploads.ts';
import { addUploadItems, type UploadItem, type UploadItemState } from './upload-store.ts';

const STORED_FOR_MS = 7 * 86_400_000;

/** Lists what another page of this browser left unfinished, for the same key. What belongs to another key is forgotten. */
export async function restoreUploads(): Promise<void> {
  const { owner } = await fetchUploadCapabilities();
  if (owner === null) return;
  const { taken, count } = await claimStoredUploads(
    tab_id,
    ({ tab }) => !isTabAlive(tab),
    (kept) => kept.owner === owner && kept.kept_at_ms > Date.now() - STORED_FOR_MS,
  );
  setStoredUploadsFlag(count > 0);
  if (taken.length === 0) return;
  const files = await Promise.all(taken.map(({ id }) => readStoredFile(id).catch(() => undefined)));
  hydrateStoredUploads(taken);
  addUploadItems(taken.map((kept, at) => ({ sending: toUploadItem(kept, files[at] !== undefined), file: files[at] })));
}

function restoredState({ problem, paused }: StoredUpload, has_file: boolean): UploadItemState {
  if (!has_file) return 'lost';
  if (problem !== null) return 'failed';
  return paused ? 'held' : 'waiting';
}

function toUploadItem(kept: StoredUpload, has_file: boolean): UploadItem {
  const { id, place, name, size_bytes, problem, resource } = kept;
  const state = restoredState(kept, has_file);
  return {
    id,
    place,
    name,
    size_bytes,
    sent_bytes: 0,
    bytes_per_second: null,
    state,
    hold: state === 'held' ? 'paused' : null,
    problem: state === 'failed' ? problem : null,
    again: state === 'failed',
    upload_id: null,
    upload: null,
    ...(resource === null ? {} : { tus_url: resource }),
  };
}
