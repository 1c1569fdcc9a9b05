import { and, desc, eq } from 'drizzle-orm';
import type { ApiKey } from '#contract/resources/api-key.ts';
import type { Deps } from '#server/deps.ts';
import { apiKeys } from '#server/db/schema.ts';
import { presentKey } from './present-key.ts';

export async function listKeys({ db }: Pick<Deps, 'db'>, organization_id: string): Promise<ApiKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.organization_id, organization_id), eq(apiKeys.is_person, false)))
    .orderBy(desc(apiKeys.id));
  return rows.map(presentKey);
}
