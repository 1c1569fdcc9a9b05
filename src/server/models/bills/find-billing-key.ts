import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { BillReading } from '#contract/resources/provider-bill.ts';
import type { Provider } from '#contract/resources/provider.ts';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { readProviderNames } from '#server/models/connections/read-provider-names.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import type { Db } from '#server/platform/db/db.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
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

/** Providers whose bills are read, of the organization that operates the service. */
export async function listBillReadings(db: Db, organizationId: string, month: string): Promise<BillReading[]> {
  if ((await findOperatorId(db)) !== organizationId) return [];
  const { connection_id, problem } = providerBillingKeys;
  const isRead = and(
    eq(providerBills.organization_id, organizationId),
    eq(providerBills.provider_id, connection_id),
    eq(providerBills.month, month),
    isNotNull(providerBills.read_at),
  );
  const rows = await db
    .select({ id: connection_id, read_at: providerBills.read_at, problem })
    .from(providerBillingKeys)
    .leftJoin(providerBills, isRead)
    .orderBy(asc(connection_id));
  const names = await readProviderNames(db);
  return rows.map(({ id, read_at, ...row }) => ({
    object: 'bill_reading',
    provider: { id, name: names.get(id) ?? id },
    read_at: read_at?.toISOString() ?? null,
    ...row,
  }));
}
