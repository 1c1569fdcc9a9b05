import { and, eq, sql } from 'drizzle-orm';
import { formatNano, formatUsd, NANO_PER_MICRO } from '#contract/money/money.ts';
import type { Close } from '#contract/resources/provider-bill.ts';
import { sumBy } from '#server/accounts/billing/reports/report.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { nameBillProvider, type ProviderNames } from './list-bills.ts';

/** Compares our known costs of a month in UTC with the bills of providers. Decision: Provider bills */
export async function readClose(
  { db }: { db: Db },
  organization_id: string,
  month: string,
  providers: ProviderNames,
): Promise<Close> {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  const scope = { organization_id, key_ids: null, tags: new Map() };
  const costs = await sumBy(db, scope, { from, to }, ['provider'], ['cost', 'unknownJobs']);
  const bills = await db
    .select({
      provider_id: providerBills.provider_id,
      count: sql<number>`count(*)::integer`,
      usd_nano: sql<string>`sum(${providerBills.usd_nano})::text`,
    })
    .from(providerBills)
    .where(and(eq(providerBills.organization_id, organization_id), eq(providerBills.month, month)))
    .groupBy(providerBills.provider_id);
  const costOf = new Map(costs.flatMap(({ values: [id = null], sums }) => (id === null ? [] : [[id, sums] as const])));
  const billOf = new Map(bills.map((bill) => [bill.provider_id, bill]));
  const ids = [...new Set([...providers.keys(), ...costOf.keys(), ...billOf.keys()])];
  const data = ids.map((id) => {
    const { cost = 0n, unknownJobs = 0n } = costOf.get(id) ?? {};
    const bill = billOf.get(id);
    const billNano = bill === undefined ? null : BigInt(bill.usd_nano);
    return {
      provider: { id, name: nameBillProvider(id, providers) },
      cost_usd: formatUsd(cost),
      unknown_cost_count: Number(unknownJobs),
      bill_count: bill?.count ?? 0,
      bill_usd: billNano === null ? null : formatNano(billNano),
      difference_usd: billNano === null ? null : formatNano(billNano - cost * NANO_PER_MICRO),
    };
  });
  data.sort((a, b) => a.provider.name.localeCompare(b.provider.name) || (a.provider.id < b.provider.id ? -1 : 1));
  return { object: 'billing_close', month, data };
}
