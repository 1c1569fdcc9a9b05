import { getKey, onSessionChange, type SessionState } from '#web/session/session.ts';
import { createEngine } from '#web/uploads/create-engine.ts';
import { forgetKept, persist } from '#web/uploads/persist.ts';
import { readLimits } from '#web/uploads/limits.ts';
import { restore } from '#web/uploads/restore.ts';
import { refuseFile, sendFile } from '#web/uploads/send-file.ts';
import { readSendings, subscribeSendings } from '#web/uploads/sendings.ts';

/** What sends every file of this page. */
export const engine = createEngine({ send: sendFile, refuse: refuseFile, isOnline: () => navigator.onLine });

let is_wired = false;
let owner: string | null = null;
const learnOwner = async () => {
  const { owner: next } = await readLimits();
  const changed = owner !== null && owner !== next;
  owner = next;
  return changed;
};

/** Sends what is listed, and follows the network and the session from now on. */
export function startEngine(): void {
  if (!is_wired) wire();
  engine.start();
}

/** Goes on with what another page left unfinished. */
export async function goOn(): Promise<void> {
  await learnOwner();
  if (!is_wired) wire();
  await restore();
  engine.start();
}

/** Gives everything up, here and in this browser. */
export function clear(): void {
  engine.clear();
  forgetKept();
}

function wire(): void {
  is_wired = true;
  window.addEventListener('offline', engine.wentOffline);
  window.addEventListener('online', engine.cameOnline);
  persist();
  learnOwner().catch(() => undefined);
  onSessionChange(onSession);
  subscribeSendings(guardLeaving);
  guardLeaving();
}

function onSession(state: SessionState): void {
  if (state === 'signed_out') clear();
  if (state === 'expired') engine.wasSignedOut();
  if (state !== 'signed_in') return;
  // Somebody else: what was on its way is not theirs.
  learnOwner()
    .then((changed) => (changed ? clear() : engine.wasSignedIn()))
    .catch(() => engine.wasSignedIn());
}

const MOVING = new Set(['waiting', 'sending', 'checking']);

/** The browser asks, in words of its own. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

function guardLeaving(): void {
  const moves = readSendings().some(({ state, hold }) => MOVING.has(state) || (hold !== null && hold !== 'paused'));
  if (moves && getKey() !== null) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}
