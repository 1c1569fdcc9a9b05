import { createAtom, useSelector } from '@tanstack/react-store';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import {
  clearTabItems,
  hasUnsentSignOut,
  isMarkerEvent,
  newMarker,
  parseMarker,
  readMarker,
  rememberUnsentSignOut,
  type SessionMarker,
  takePendingSignIn,
  writeMarker,
} from './session-marker.ts';

/** `expired`: the service no longer accepts the session; the page keeps its drafts. */
export type SessionState = 'signed_out' | 'signed_in' | 'expired';

let session = restoreSession();
/** Whose drafts this tab has. */
const draftOwner = createAtom(session?.owner ?? null);
/** A new object for every sign-in: another person does not change the state, and listeners still need the event. */
const atom = createAtom({ state: (session === null ? 'signed_out' : 'signed_in') as SessionState });

function updateSession(state: SessionState, next: SessionMarker | null) {
  session = next;
  if (state === 'signed_out') draftOwner.set(null);
  atom.set({ state });
}

/** The session of this browser, whose secret is in a cookie that scripts cannot read. */
export const getSession = (): SessionMarker | null => session;

/** Starts to use a session that the service has opened. */
export function signIn(): void {
  const marker = newMarker();
  // Who signs in again here was promised that the drafts stay.
  if (atom.get().state === 'expired') draftOwner.set(null);
  writeMarker(marker);
  rememberUnsentSignOut(false);
  updateSession('signed_in', marker);
}

/**
 * Stores whom the service sees in the session, so that the next load begins with it. Drafts of somebody else are
 * deleted.
 */
export function confirmSession(id: string, owner: string, permissions: readonly string[]): void {
  if (session?.id !== id) return;
  const isOther = draftOwner.get() !== null && draftOwner.get() !== owner;
  draftOwner.set(owner);
  session = { ...session, owner, permissions };
  writeMarker(session);
  if (!isOther) return;
  clearTabItems();
  atom.set({ state: 'signed_out' });
  atom.set({ state: 'signed_in' });
}

/** Ends the session, here and at the service, and clears what this tab stored of the person's work. */
export function signOut(): void {
  if (session !== null) {
    rememberUnsentSignOut(true);
    void sendSignOut();
  }
  writeMarker(null);
  clearTabItems();
  updateSession('signed_out', null);
}

/**
 * Ends the session that the service refused. One that has been replaced since is left alone. One that was never
 * confirmed has no drafts and needs no notice.
 */
export function expireSession(id: string): void {
  if (session?.id !== id) return;
  const hasDrafts = session.owner !== null;
  writeMarker(hasDrafts ? { ...session, is_expired: true } : null);
  updateSession(hasDrafts ? 'expired' : 'signed_out', null);
}

/**
 * Calls `listener` after every sign-in, sign-out and expiry.
 * @returns a function that stops it
 */
export function onSessionChange(listener: (state: SessionState) => void): () => void {
  return atom.subscribe(({ state }) => listener(state)).unsubscribe;
}

/** Calls `listener` when the service has confirmed whose session it is. */
export function onOwnerConfirmed(listener: (owner: string) => void): void {
  draftOwner.subscribe((owner) => owner !== null && listener(owner));
}

export function useSession(): SessionState {
  return useSelector(atom, ({ state }) => state);
}

/** Follows a sign-out or another sign-in in other tabs, which share the cookie. Call once. */
export function syncSessionAcrossTabs(): void {
  window.addEventListener('storage', (event) => {
    if (!isMarkerEvent(event)) return;
    const marker = parseMarker(event.newValue);
    const isSame = session !== null && (marker ?? parseMarker(event.oldValue))?.id === session.id;
    if (marker?.is_expired) return isSame ? updateSession('expired', null) : undefined;
    if (marker && !isSame) updateSession('signed_in', marker);
    if (!marker && isSame) updateSession('signed_out', null);
  });
  window.addEventListener('online', () => void sendSignOut());
  void sendSignOut();
}

let sending: Promise<void> | null = null;

/** Resolves when no sign-out is under way, whose response would remove the cookie of a new session. */
export const signOutSettled = async (): Promise<void> => (await sending) ?? undefined;

/** Scripts cannot delete the cookie: offline, the service is asked to do it later. */
function sendSignOut(): Promise<void> {
  if (!hasUnsentSignOut()) return Promise.resolve();
  sending ??= api
    .call('delete_session', { withCookie: true, keepalive: true })
    .then(
      () => rememberUnsentSignOut(false),
      (error: unknown) => {
        if (error instanceof ApiError && error.status < 500) rememberUnsentSignOut(false);
      },
    )
    .finally(() => {
      sending = null;
    });
  return sending;
}

/** A browser that comes back from the identity provider has a session, unless the address names an error. */
function restoreSession(): SessionMarker | null {
  const stored = readMarker();
  const isBack = takePendingSignIn() && !new URLSearchParams(globalThis.location?.search).has('error');
  const marker = isBack ? newMarker() : stored;
  if (isBack) writeMarker(marker);
  return marker;
}
