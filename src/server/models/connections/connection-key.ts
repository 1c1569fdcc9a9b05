import type { Deps } from '#server/platform/deps.ts';
import type { CredentialRow, StoredConnection } from './connections.ts';

const UNREADABLE_KEY_MESSAGE = 'Its key can no longer be read, because SECRET_KEY has changed. Enter the key again.';

/** Reveals the key of a credential; null: it has none. `problem`: it has one that cannot be used. */
export function revealKey(
  { secrets }: Pick<Deps, 'secrets'>,
  { connection_id, sealed_key }: Pick<CredentialRow, 'connection_id' | 'sealed_key'>,
): { api_key: string | null; problem: string | null } {
  if (sealed_key === null) return { api_key: null, problem: null };
  const apiKey = secrets.decrypt('provider-key', connection_id, sealed_key);
  return { api_key: apiKey, problem: apiKey === null ? UNREADABLE_KEY_MESSAGE : null };
}

/** Why a connection runs nothing although it is active; null if its key can be used. */
export function findKeyProblem(
  deps: Pick<Deps, 'secrets'>,
  { credentials }: Pick<StoredConnection, 'credentials'>,
): string | null {
  const [credential] = credentials;
  return credential ? revealKey(deps, credential).problem : null;
}
