import { getSession, onSessionChange, type SessionState } from '#web/api/session/session.ts';
import { createUploadQueue, UnreadableFileError, InvalidFileError, type TransferOptions } from './upload-queue.ts';
import { clearStoredUploads, persistUploads, restoreUploads } from './persist-uploads.ts';
import { fetchUploadCapabilities, cachedUploadCapabilities } from './upload-capabilities.ts';
import { getUploadItems, subscribeUploads, updateUploadItem, type UploadItem } from './upload-store.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { SNIFFED_BYTES, validateContent, validateFile } from './validate-file.ts';
import { reduceUploadChunk, uploadChunkBytes } from './upload-chunk.ts';
import { isProxyLimit, uploadResumable, uploadWholeFile } from './transfer-file.ts';

const validateFileLocally = (file: File): string | null =>
  validateFile(file, cachedUploadCapabilities()?.maxBytes ?? null);

/** @throws {UnreadableFileError} @throws {InvalidFileError} @throws {ApiError} @throws {NetworkError} @throws {DOMException} */
async function transferFile({ id, tusUrl }: UploadItem, file: File, options: TransferOptions): Promise<Upload> {
  const { maxBytes, resumablePath: path } = await fetchUploadCapabilities();
  const problem = validateFile(file, maxBytes);
  if (problem !== null) throw new InvalidFileError(problem);
  const contentProblem = validateContent(await readHead(file), file.size);
  if (contentProblem !== null) throw new InvalidFileError(contentProblem);
  options.signal.throwIfAborted();
  if (file.size <= uploadChunkBytes()) {
    try {
      return await uploadWholeFile(file, options);
    } catch (error) {
      if (!isProxyLimit(error) || !reduceUploadChunk(file.size)) throw error;
    }
  }
  return uploadResumable(file, {
    ...options,
    path,
    tusUrl,
    onTusUrl: (url) => updateUploadItem(id, { tusUrl: url }),
  });
}

/** Without this, a file that was moved or changed would look like a network error. */
async function readHead(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  } catch (error) {
    throw new UnreadableFileError('The file was moved or changed since you selected it.', { cause: error });
  }
}

export const uploadQueue = createUploadQueue({
  transfer: transferFile,
  validate: validateFileLocally,
  isOnline: () => navigator.onLine,
});

let hasListeners = false;
let owner: string | null = null;
const refreshOwner = async () => {
  const { owner: next } = await fetchUploadCapabilities();
  const changed = owner !== null && owner !== next;
  owner = next;
  return changed;
};

export function startUploads(): void {
  if (!hasListeners) addListeners();
  uploadQueue.start();
}

export async function resumeUploads(): Promise<void> {
  await refreshOwner();
  if (!hasListeners) addListeners();
  await restoreUploads();
  uploadQueue.start();
}

export function clearUploads(): void {
  uploadQueue.clear();
  clearStoredUploads();
}

function addListeners(): void {
  hasListeners = true;
  window.addEventListener('offline', uploadQueue.handleOffline);
  window.addEventListener('online', uploadQueue.handleOnline);
  persistUploads();
  refreshOwner().catch(() => undefined);
  onSessionChange(handleSessionChange);
  subscribeUploads(updateLeaveGuard);
  updateLeaveGuard();
}

function handleSessionChange(state: SessionState): void {
  if (state === 'signed_out') clearUploads();
  if (state === 'expired') uploadQueue.handleSessionExpired();
  if (state !== 'signed_in') return;
  refreshOwner()
    .then((changed) => (changed ? clearUploads() : uploadQueue.handleSignIn()))
    .catch(() => uploadQueue.handleSignIn());
}

const ACTIVE_STATES = new Set(['waiting', 'sending', 'checking']);

const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

function updateLeaveGuard(): void {
  const isActive = getUploadItems().some(
    ({ state, suspend_reason }) => ACTIVE_STATES.has(state) || (suspend_reason !== null && suspend_reason !== 'paused'),
  );
  if (isActive && getSession() !== null) window.addEventListener('beforeunload', preventLeaving);
  else window.removeEventListener('beforeunload', preventLeaving);
}
