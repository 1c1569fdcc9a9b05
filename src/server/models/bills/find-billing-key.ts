import { and, eq, isNull } from 'drizzle-orm';
import type { Provider } from '#contract/resources/provider.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import type { Db } from '#server/platform/db/db.ts';
import { providerBillingKeys, providerConnections } from '#server/platform/db/schema/provider-schema.ts';

export type BillingKeyRow = typeof providerBillingKeys.$inferSelect;

/** The second key of a connection, with the connection that it belongs to. */
export async function findBillingKey(db: Pick<Db, 'select'>, connectionId: string) {
  const [row] = await db
    .select({ billing: providerBillingKeys, connection: providerConnections })
    .from(providerBillingKeys)
    .innerJoin(providerConnections, eq(providerConnections.id, providerBillingKeys.connection_id))
    .where(and(eq(providerBillingKeys.connection_id, connectionId), isNull(providerConnections.disconnected_at)));
  return row;
}

/** What a connection says of its billing key; null if the bills of the provider can't be read. */
export async function presentBillingKey(
  db: Pick<Db, 'select'>,
  { id, provider }: Pick<typeof providerConnections.$inferSelect, 'id' | 'provider'>,
): Promise<Provider['billing']> {
  const source = findPreset(provider)?.bills;
  if (!source) return null;
  const { billing = null } = (await findBillingKey(db, id)) ?? {};
  return {
    key_hint: source.key_hint,
    key_url: source.key_url,
    key_last_four: billing?.last_four ?? null,
    read_at: billing?.read_at?.toISOString() ?? null,
    problem: billing?.problem ?? null,
  };
}
