import { useSyncExternalStore } from 'react';
import { api } from '#web/api.ts';

const storage_name = 'emulsion.session';
/** Where earlier versions kept the API key itself. */
const former_storage_name = 'emulsion.key';

/** `expired`: the service no longer accepts the credential; what was typed is still on the page. */
export type SessionState = 'signed_out' | 'signed_in' | 'expired';

/**
 * How long a browser keeps a credential: `device` until sign-out, `tab` until the tab is closed, `page` until the page is
 * reloaded. A session of the service can be revoked and expires, so a tab keeps it over a reload. An API key is never stored.
 */
export type SessionScope = 'device' | 'tab' | 'page';

interface Credential {
  secret: string;
  scope: SessionScope;
}

removeStored('localStorage', former_storage_name);
let credential = readStored();
let state: SessionState = credential === null ? 'signed_out' : 'signed_in';
const listeners = new Set<(state: SessionState) => void>();

function change(nextState: SessionState, next: Credential | null) {
  state = nextState;
  credential = next;
  for (const listener of listeners) listener(state);
}

/** What this tab sends as its bearer credential: the secret of a session, or an API key where the service has no sessions. */
export function getKey(): string | null {
  return credential?.secret ?? null;
}

/** Starts using a credential that the service accepted. The session it replaces ends. */
export function signIn(secret: string, scope: SessionScope): void {
  const before = credential;
  if (before && before.secret !== secret) endOnService(before);
  store({ secret, scope });
  change('signed_in', { secret, scope });
}

/** Ends the session, here and at the service, and forgets what this tab kept of the person's work. */
export function signOut(): void {
  if (credential) endOnService(credential);
  store(null);
  forgetWork();
  change('signed_out', null);
}

/** The service refuses `refused` for good. A credential that has been replaced since is left alone. */
export function expire(refused: string): void {
  if (refused !== credential?.secret) return;
  store(null);
  change('expired', null);
}

/** How long this browser keeps the session; null: nobody is signed in. */
export function getScope(): SessionScope | null {
  return credential?.scope ?? null;
}

/** Changes how long this browser keeps the session. */
export function setScope(scope: 'device' | 'tab'): void {
  if (!credential || credential.scope === 'page') return;
  credential = { ...credential, scope };
  store(credential);
}

/** Calls back after every sign-in, sign-out and expiry. Returns how to stop. */
export function onSessionChange(listener: (state: SessionState) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session's state, for components. */
export function useSession(): SessionState {
  return useSyncExternalStore(onSessionChange, () => state);
}

/** Follows a sign-out (or another session) in another tab, where the session is kept on the device. Call once. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ storageArea, key, oldValue, newValue }) => {
    if (storageArea !== localStorage || key !== storage_name) return;
    if (oldValue !== credential?.secret || newValue === oldValue) return;
    if (newValue === null) change('signed_out', null);
    else change('signed_in', { secret: newValue, scope: 'device' });
  });
}

function endOnService({ secret, scope }: Credential): void {
  if (scope === 'page') return;
  // Without a connection nobody can be told here any more; the session then ends when it expires.
  api.call('delete_session', { key: secret, keepalive: true }).catch(() => undefined);
}

// A browser may forbid storage altogether (private windows, policies); the session then lives in memory alone.
function readStored(): Credential | null {
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

/** Leaves the credential in the one place of its scope. */
function store(next: Credential | null): void {
  if (next?.scope !== 'tab') removeStored('sessionStorage', storage_name);
  if (next?.scope !== 'device') removeStored('localStorage', storage_name);
  if (next === null || next.scope === 'page') return;
  try {
    globalThis[next.scope === 'tab' ? 'sessionStorage' : 'localStorage'].setItem(storage_name, next.secret);
  } catch {
    // Storage is forbidden or full: this page stays signed in until it is reloaded.
  }
}

function removeStored(area: 'localStorage' | 'sessionStorage', name: string): void {
  try {
    globalThis[area].removeItem(name);
  } catch {
    // Nothing was stored then.
  }
}

function forgetWork() {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith('emulsion.')) sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept then.
  }
}
