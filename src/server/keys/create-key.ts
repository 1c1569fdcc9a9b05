import type { ApiKeyCreated, KeyKind } from '#contract/resources/api-key.ts';
import type { Clock } from '#server/core/clock.ts';
import type { Db, Tx } from '#server/db/db.ts';
import { apiKeys } from '#server/db/schema.ts';
import { createId } from '#server/core/create-id.ts';
import { hashCredential, generateKey } from './credentials.ts';
import { presentKey } from './present-key.ts';

export interface KeyDraft {
  organization_id: string;
  name: string;
  kind: KeyKind;
  key?: string | undefined;
  person_id?: string;
  is_person?: boolean;
}

/** Only this result contains the key itself. */
export async function createKey(
  { db, clock }: { db: Db | Tx; clock: Clock },
  { organization_id, name, kind, key = generateKey(kind), person_id, is_person = false }: KeyDraft,
): Promise<ApiKeyCreated> {
  const now = clock.now();
  const [row] = await db
    .insert(apiKeys)
    .values({
      id: createId('key', now),
      organization_id,
      name,
      kind,
      secret_sha256: hashCredential(key),
      last_four: key.slice(-4),
      person_id: person_id ?? null,
      is_person,
      created_at: now,
    })
    .returning();
  if (!row) throw new Error('The insert of a key returned no row.');
  return { ...presentKey(row), key };
}
