import { getKey, onSessionChange, type SessionState } from '#web/api/session/session.ts';
import { createUploadQueue } from './upload-queue.ts';
import { clearStoredUploads, persistUploads } from './persist-uploads.ts';
import { fetchUploadCapabilities } from './upload-capabilities.ts';
import { restoreUploads } from './restore-uploads.ts';
import { validateFileLocally, transferFile } from './transfer-file.ts';
import { getUploadItems, subscribeUploads } from './upload-store.ts';

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
