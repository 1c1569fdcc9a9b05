import { api } from '../api.ts';
import { expireSession, getKey } from './session.ts';
import { verifyKey } from './verify-key.ts';

const keysBeingVerified = new Set<string>();

/**
 * Handles a 401 for the session's key. A member key also gets one where an organization key is needed, so the key
 * itself is verified before the session ends. Parallel requests verify it once.
 */
async function reportUnauthorized(): Promise<void> {
  const key = getKey();
  if (key === null || keysBeingVerified.has(key)) return;
  keysBeingVerified.add(key);
  const failure = await verifyKey(key).finally(() => keysBeingVerified.delete(key));
  if (failure?.outcome === 'refused') expireSession(key);
}

/** Connects the API client to the session. Call once, before the first request. */
export function connectSession(): void {
  api.connect({ getKey, onUnauthorized: () => void reportUnauthorized() });
}
