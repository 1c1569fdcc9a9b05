import { useSyncExternalStore } from 'react';

const storage_name = 'emulsion.key';

/** `expired`: there was a key and the service no longer takes it; what was typed is still on the page. */
export type SessionState = 'signed_out' | 'signed_in' | 'expired';

let key: string | null = readRemembered();
let state: SessionState = key === null ? 'signed_out' : 'signed_in';
const listeners = new Set<(state: SessionState) => void>();

function change(nextState: SessionState, nextKey: string | null) {
  state = nextState;
  key = nextKey;
  for (const listener of listeners) listener(state);
}

/** The key of this tab; null unless signed in. It leaves memory only towards our own service, in a header. */
export function getKey(): string | null {
  return key;
}

/** Starts using a key that `verifyKey` accepted. With `remember` it is kept on this device until signing out. */
export function signIn(accepted: string, { remember }: { remember: boolean }): void {
  if (remember) store(accepted);
  else forget();
  change('signed_in', accepted);
}

/** Forgets the key, here and on the device, and what this tab kept of the person's work. */
export function signOut(): void {
  forget();
  forgetWork();
  change('signed_out', null);
}

/** The service refuses `refused` for good. A key that has been replaced since is left alone. */
export function expire(refused: string): void {
  if (refused !== key) return;
  forget();
  change('expired', null);
}

/** Whether the key is kept on this device. */
export function isRemembered(): boolean {
  return key !== null && readRemembered() === key;
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

/** Follows a sign-out (or another key) in another tab, where the key is kept on the device. Call once. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== storage_name || event.oldValue !== key || event.newValue === key) return;
    change(event.newValue === null ? 'signed_out' : 'signed_in', event.newValue);
  });
}

// A browser may forbid storage altogether (private windows, policies); the session then lives in memory alone.
function readRemembered(): string | null {
  try {
    return localStorage.getItem(storage_name);
  } catch {
    return null;
  }
}

function store(value: string) {
  try {
    localStorage.setItem(storage_name, value);
  } catch {
    forget();
  }
}

function forgetWork() {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith('emulsion.')) sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept then.
  }
}

function forget() {
  try {
    localStorage.removeItem(storage_name);
  } catch {
    // Nothing was stored then.
  }
}
