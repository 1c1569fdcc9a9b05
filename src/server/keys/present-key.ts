import type { ApiKey } from '#contract/resources/api-key.ts';
import type { apiKeys } from '#server/db/schema.ts';

export const presentKey = (row: typeof apiKeys.$inferSelect): ApiKey => ({
  id: row.id,
  object: 'api_key',
  name: row.name,
  kind: row.kind,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
