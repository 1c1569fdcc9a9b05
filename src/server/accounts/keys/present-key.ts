import type { ApiKey } from '#contract/resources/api-key.ts';
import type { apiKeys } from '#server/platform/db/schema/organization-schema.ts';

export type KeyRow = typeof apiKeys.$inferSelect;

export const presentKey = (row: KeyRow, personName: string | null, now: Date): ApiKey => ({
  id: row.id,
  object: 'api_key',
  name: row.name,
  kind: row.kind,
  last_four: row.last_four,
  person: row.person_id === null ? null : { id: row.person_id, name: personName ?? row.name },
  scopes: row.scopes,
  expires_at: row.expires_at?.toISOString() ?? null,
  previous_valid_until:
    row.previous_valid_until && row.previous_valid_until > now ? row.previous_valid_until.toISOString() : null,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
