const storageName = 'emulsion.session';
/** Set in the tab that leaves for the identity provider. */
const pendingName = 'emulsion.sign-in';
/** Set while a sign-out has not reached the service. */
const signOutName = 'emulsion.sign-out';

/**
 * What the browser stores of a session. The session's secret is in a cookie that scripts cannot read, so this says only
 * that there is one.
 */
export interface SessionMarker {
  /** Another one after each sign-in. */
  id: string;
  /** Id of the person, or of the key of a program; null until the service has confirmed the session. */
  owner: string | null;
  /** Null until the service has confirmed the session. */
  permissions: readonly string[] | null;
  /** The service no longer accepts the session: other tabs ask to sign in again. */
  is_expired: boolean;
}

/** Works over plain HTTP too, where `randomUUID` is missing. */
export const newMarker = (): SessionMarker => ({
  id: Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  owner: null,
  permissions: null,
  is_expired: false,
});

export function parseMarker(text: string | null): SessionMarker | null {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<SessionMarker> | null;
    if (typeof stored?.id !== 'string') return null;
    const { id, owner = null, permissions = null, is_expired = false } = stored;
    return { id, owner, permissions, is_expired };
  } catch {
    return null;
  }
}

export function readMarker(): SessionMarker | null {
  const marker = parseMarker(getItem('localStorage', storageName));
  if (marker && !marker.is_expired) return marker;
  removeItem('localStorage', storageName);
  return null;
}

export function writeMarker(marker: SessionMarker | null): void {
  if (marker) setItem('localStorage', storageName, JSON.stringify(marker));
  else removeItem('localStorage', storageName);
}

/** @returns whether the event is about the marker */
export const isMarkerEvent = ({ storageArea, key }: StorageEvent): boolean =>
  storageArea === localStorage && key === storageName;

/** Remembers in this tab that the identity provider will send the browser back. */
export const rememberPendingSignIn = (): void => setItem('sessionStorage', pendingName, '1');

/** Returns whether this tab comes back from the identity provider; once. */
export function takePendingSignIn(): boolean {
  const isPending = getItem('sessionStorage', pendingName) !== null;
  removeItem('sessionStorage', pendingName);
  return isPending;
}

export const hasUnsentSignOut = (): boolean => getItem('localStorage', signOutName) !== null;

export function rememberUnsentSignOut(isUnsent: boolean): void {
  if (isUnsent) setItem('localStorage', signOutName, '1');
  else removeItem('localStorage', signOutName);
}

/** Clears what this tab stored of the person's work. */
export function clearTabItems(): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith('emulsion.')) sessionStorage.removeItem(name);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}

type Area = 'localStorage' | 'sessionStorage';

// A browser may forbid storage altogether (private windows, policies): a reload then signs out.
function getItem(area: Area, name: string): string | null {
  try {
    return globalThis[area].getItem(name);
  } catch {
    return null;
  }
}

function setItem(area: Area, name: string, value: string): void {
  try {
    globalThis[area].setItem(name, value);
  } catch {
    // Storage is forbidden or full: this page stays signed in until it is reloaded.
  }
}

function removeItem(area: Area, name: string): void {
  try {
    globalThis[area].removeItem(name);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
