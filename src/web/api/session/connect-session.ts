import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { expireSession, getSession } from './session.ts';

const DEADLINE_MS = 15_000;

const sessionsBeingVerified = new Set<string>();

/**
 * Handles a 401 for the session. A role also gets one where it may not do something, so the session itself is verified
 * before it ends. Parallel requests verify it once.
 */
async function reportUnauthorized(): Promise<void> {
  const session = getSession();
  if (session === null || sessionsBeingVerified.has(session.id)) return;
  sessionsBeingVerified.add(session.id);
  try {
    await api.call('get_me', { deadlineMs: DEADLINE_MS });
  } catch (error) {
    // While the service is not reachable, the session stays.
    if (error instanceof ApiError && error.status === 401) expireSession(session.id);
  } finally {
    sessionsBeingVerified.delete(session.id);
  }
}

/** Connects the API client to the session. Call once, before the first request. */
export function connectSession(): void {
  api.connect({ getSession, onUnauthorized: () => void reportUnauthorized() });
}
