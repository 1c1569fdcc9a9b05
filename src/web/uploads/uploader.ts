import { getKey, onSessionChange, type SessionState } from '#web/api/session/session.ts';
import { createUploadQueue, UnreadableFileError, InvalidFileError, type TransferOptions } from './upload-queue.ts';
import { clearStoredUploads, persistUploads } from './persist-uploads.ts';
import { fetchUploadCapabilities, cachedUploadCapabilities } from './upload-capabilities.ts';
import { restoreUploads } from './restore-uploads.ts';
import { getUploadItems, subscribeUploads, updateUploadItem, type UploadItem } from './upload-store.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { validateFile } from './validate-file.ts';
import { uploadResumable, uploadWholeFile } from './transfer-file.ts';

/** Larger ones go in parts, where the service takes parts: what has arrived of them need not be sent again. */
const SINGLE_REQUEST_MAX_BYTES = 8_388_608;

/** Why a file need not be sent at all, as far as that is known without asking. */
const validateFileLocally = (file: File): string | null =>
  validateFile(file, cachedUploadCapabilities()?.max_bytes ?? null);

/**
 * Sends a file the way that suits it.
 * @throws {UnreadableFileError} @throws {InvalidFileError} @throws {ApiError} @throws {NetworkError} @throws {DOMException}
 */
async function transferFile({ id, tus_url }: UploadItem, file: File, tools: TransferOptions): Promise<Upload> {
  const { max_bytes, resumable_path: path } = await fetchUploadCapabilities();
  const refusal = validateFile(file, max_bytes);
  if (refusal !== null) throw new InvalidFileError(refusal);
  await assertReadable(file);
  tools.signal.throwIfAborted();
  if (path === null || file.size <= SINGLE_REQUEST_MAX_BYTES) return uploadWholeFile(file, tools);
  return uploadResumable(file, { ...tools, path, tus_url, onTusUrl: (url) => updateUploadItem(id, { tus_url: url }) });
}

/** A file that was moved or changed since it was chosen can't be read, which would look like a network that is away. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new UnreadableFileError('The file was moved or changed since it was chosen.', { cause: error });
  }
}

/** What sends every file of this page. */
export const uploadQueue = createUploadQueue({
  send: transferFile,
  refuse: validateFileLocally,
  isOnline: () => navigator.onLine,
});

let has_listeners = false;
let owner: string | null = null;
const refreshOwner = async () => {
  const { owner: next } = await fetchUploadCapabilities();
  const changed = owner !== null && owner !== next;
  owner = next;
  return changed;
};

/** Sends what is listed, and follows the network and the session from now on. */
export function startUploads(): void {
  if (!has_listeners) addListeners();
  uploadQueue.start();
}

/** Goes on with what another page left unfinished. */
export async function resumeUploads(): Promise<void> {
  await refreshOwner();
  if (!has_listeners) addListeners();
  await restoreUploads();
  uploadQueue.start();
}

/** Gives everything up, here and in this browser. */
export function clearUploads(): void {
  uploadQueue.clear();
  clearStoredUploads();
}

function addListeners(): void {
  has_listeners = true;
  window.addEventListener('offline', uploadQueue.wentOffline);
  window.addEventListener('online', uploadQueue.cameOnline);
  persistUploads();
  refreshOwner().catch(() => undefined);
  onSessionChange(handleSessionChange);
  subscribeUploads(updateLeaveGuard);
  updateLeaveGuard();
}

function handleSessionChange(state: SessionState): void {
  if (state === 'signed_out') clearUploads();
  if (state === 'expired') uploadQueue.wasSignedOut();
  if (state !== 'signed_in') return;
  // Somebody else: what was on its way is not theirs.
  refreshOwner()
    .then((changed) => (changed ? clearUploads() : uploadQueue.wasSignedIn()))
    .catch(() => uploadQueue.wasSignedIn());
}

const ACTIVE_STATES = new Set(['waiting', 'sending', 'checking']);

/** The browser asks, in words of its own. */
const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

function updateLeaveGuard(): void {
  const moves = getUploadItems().some(
    ({ state, hold }) => ACTIVE_STATES.has(state) || (hold !== null && hold !== 'paused'),
  );
  if (moves && getKey() !== null) window.addEventListener('beforeunload', preventLeaving);
  else window.removeEventListener('beforeunload', preventLeaving);
}
