import { createAtom, useSelector } from '@tanstack/react-store';
import { api } from '../api.ts';

const storage_name = 'emulsion.session';
/** Where earlier versions stored the API key itself. */
const legacy_storage_name = 'emulsion.key';

/** `expired`: the service no longer accepts the credential; the page keeps its drafts. */
export type SessionState = 'signed_out' | 'signed_in' | 'expired';

/**
 * How long a browser keeps a credential: `device` until sign-out, `tab` until the tab is closed, `page` until the page
 * is reloaded. A session can be revoked and expires, so a tab keeps it over a reload. An API key is never stored.
 */
export type SessionScope = 'device' | 'tab' | 'page';

interface Credential {
  secret: string;
  scope: SessionScope;
}

removeStoredItem('localStorage', legacy_storage_name);
let credential = readStoredCredential();
/** A new object for every sign-in: another key does not change the state, and listeners still need the event. */
const session = createAtom({ state: (credential === null ? 'signed_out' : 'signed_in') as SessionState });

function updateSession(state: SessionState, next: Credential | null) {
  credential = next;
  session.set({ state });
}

/**
 * Returns the bearer credential of this tab: the secret of a session, or an API key where the service has no sessions.
 */
export function getKey(): string | null {
  return credential?.secret ?? null;
}

/** Starts to use a credential that the service accepted. The session it replaces ends. */
export function signIn(secret: string, scope: SessionScope): void {
  const previous = credential;
  if (previous && previous.secret !== secret) revokeSession(previous);
  storeCredential({ secret, scope });
  updateSession('signed_in', { secret, scope });
}

/** Ends the session, here and at the service, and clears what this tab stored of the person's work. */
export function signOut(): void {
  if (credential) revokeSession(credential);
  storeCredential(null);
  clearTabStorage();
  updateSession('signed_out', null);
}

/** Ends the session whose credential the service refused. A credential that has been replaced since is left alone. */
export function expireSession(refused: string): void {
  if (refused !== credential?.secret) return;
  storeCredential(null);
  updateSession('expired', null);
}

export function getSessionScope(): SessionScope | null {
  return credential?.scope ?? null;
}

export function setSessionScope(scope: 'device' | 'tab'): void {
  if (!credential || credential.scope === 'page') return;
  credential = { ...credential, scope };
  storeCredential(credential);
}

/**
 * Calls `listener` after every sign-in, sign-out and expiry.
 * @returns a function that stops it
 */
export function onSessionChange(listener: (state: SessionState) => void): () => void {
  return session.subscribe(({ state }) => listener(state)).unsubscribe;
}

export function useSession(): SessionState {
  return useSelector(session, ({ state }) => state);
}

/** Follows a sign-out or another sign-in in other tabs, where the device keeps the session. Call once. */
export function syncSessionAcrossTabs(): void {
  window.addEventListener('storage', ({ storageArea, key, oldValue, newValue }) => {
    if (storageArea !== localStorage || key !== storage_name) return;
    if (oldValue !== credential?.secret || newValue === oldValue) return;
    if (newValue === null) updateSession('signed_out', null);
    else updateSession('signed_in', { secret: newValue, scope: 'device' });
  });
}

function revokeSession({ secret, scope }: Credential): void {
  if (scope === 'page') return;
  // Offline, the session remains at the service until it expires.
  api.call('delete_session', { key: secret, keepalive: true }).catch(() => undefined);
}

// A browser may forbid storage altogether (private windows, policies); the session then lives in memory alone.
function readStoredCredential(): Credential | null {
  for (const [scope, area] of [
    ['tab', 'sessionStorage'],
    ['device', 'localStorage'],
  ] as const) {
    try {
      const secret = globalThis[area].getItem(storage_name);
      if (secret !== null) return { secret, scope };
    } catch {
      continue;
    }
  }
  return null;
}

/** Stores the credential where its scope says, and removes it elsewhere. */
function storeCredential(next: Credential | null): void {
  if (next?.scope !== 'tab') removeStoredItem('sessionStorage', storage_name);
  if (next?.scope !== 'device') removeStoredItem('localStorage', storage_name);
  if (next === null || next.scope === 'page') return;
  try {
    globalThis[next.scope === 'tab' ? 'sessionStorage' : 'localStorage'].setItem(storage_name, next.secret);
  } catch {
    // Storage is forbidden or full: this page stays signed in until it is reloaded.
  }
}

function removeStoredItem(area: 'localStorage' | 'sessionStorage', name: string): void {
  try {
    globalThis[area].removeItem(name);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}

function clearTabStorage() {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith('emulsion.')) sessionStorage.removeItem(name);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
