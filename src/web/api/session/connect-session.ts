import { api } from '../api.ts';
import { expireSession, getKey } from './session.ts';
import { verifyKey } from './verify-key.ts';

const keysBeingVerified = new Set<string>();

/**
 * A request with the session's key was answered 401. A member key gets that too where an organization key is needed, so the
 * service is asked about the key itself before the session ends; many at once ask once.
 */
async function reportUnauthorized(): Promise<void> {
  const key = getKey();
  if (key === null || keysBeingVerified.has(key)) return;
  keysBeingVerified.add(key);
  const failure = await verifyKey(key).finally(() => keysBeingVerified.delete(key));
  if (failure?.outcome === 'refused') expireSession(key);
}

/** Lets the client send the session's key and hear of its end. Call once, before the first request. */
export function connectSession(): void {
  api.connect({ getKey, onUnauthorized: () => void reportUnauthorized() });
}
