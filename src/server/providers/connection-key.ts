import type { Deps } from '#server/deps.ts';
import type { CredentialRow, StoredConnection } from './connections.ts';

const UNREADABLE_KEY_MESSAGE = 'Its key can no longer be read, because SECRET_KEY has changed. Enter the key again.';

/** Reveals the key of a credential; null: it has none. `is_unreadable`: it has one that SECRET_KEY does not decrypt. */
export function revealKey(
  { secrets }: Pick<Deps, 'secrets'>,
  { connection_id, sealed_key }: Pick<CredentialRow, 'connection_id' | 'sealed_key'>,
): { api_key: string | null; is_unreadable: boolean } {
  const api_key = sealed_key === null ? null : secrets.decrypt('provider-key', connection_id, sealed_key);
  return { api_key, is_unreadable: sealed_key !== null && api_key === null };
}

/** Why a connection runs nothing although it is active; null if its key is readable. */
export function findKeyProblem(
  deps: Pick<Deps, 'secrets'>,
  { credentials }: Pick<StoredConnection, 'credentials'>,
): string | null {
  const [credential] = credentials;
  return credential && revealKey(deps, credential).is_unreadable ? UNREADABLE_KEY_MESSAGE : null;
}
