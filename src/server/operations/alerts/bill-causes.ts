import { and, eq, exists, gte, isNotNull, isNull, lt } from 'drizzle-orm';
import { formatMoney, formatNano } from '#contract/money/money.ts';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { nameBillProvider } from '#server/accounts/closing/bills/list-bills.ts';
import { readClosedMonths } from '#server/accounts/closing/settling/closing-entries.ts';
import { readProviderNames } from '#server/models/connections/read-provider-names.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { closingMatches, providerBills } from '#server/platform/db/schema/closing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { providerBillingKeys, providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import type { AlertCause } from './alert-cause.ts';
import { toLine } from './connection-causes.ts';

/** Bills that can't be read. Providers belong to the installation, so its first organization is alerted. */
export async function findUnreadBills(tx: Tx, organizationId: string): Promise<AlertCause[]> {
  if ((await findOperatorId(tx)) !== organizationId) return [];
  const { connection_id, problem, failing_since } = providerBillingKeys;
  const rows = await tx
    .select({ id: connection_id, provider: providerConnections.provider, problem, failing_since })
    .from(providerBillingKeys)
    .innerJoin(providerConnections, eq(providerConnections.id, connection_id))
    .where(and(isNotNull(failing_since), isNull(providerConnections.disconnected_at)));
  return rows.map((row) => {
    const name = findPreset(row.provider)?.name ?? row.provider;
    return {
      kind: 'provider_paused',
      subject_id: row.id,
      subject_name: name,
      period: `bills ${row.failing_since?.toISOString() ?? ''}`,
      message: `Bills of ${name} can’t be read. ${toLine(row.problem ?? '')} Its models still run.`,
    };
  });
}

const MONTHS_BACK = 3;
/** What adds up from rounding. */
const MIN_DIFFERENCE_NANO = 5_000_000n;

/** Bills of past months that are not closed, and differ too much from our known cost, corrections included. */
export async function findDifferentBills(tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> {
  const [limit] = await tx
    .select({ percent: organizations.bill_difference_percent })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  const percent = limit?.percent ?? null;
  if (percent === null) return [];
  const { organization_id, month, provider_id } = closingMatches;
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_BACK, 1));
  const isBilled = and(
    eq(providerBills.organization_id, organization_id),
    eq(providerBills.month, month),
    eq(providerBills.provider_id, provider_id),
  );
  const matches = await tx
    .select()
    .from(closingMatches)
    .where(
      and(
        eq(organization_id, organizationId),
        gte(month, first.toISOString().slice(0, 7)),
        lt(month, now.toISOString().slice(0, 7)),
        exists(tx.select({ id: providerBills.id }).from(providerBills).where(isBilled)),
      ),
    );
  if (matches.length === 0) return [];
  const closed = await readClosedMonths(tx, organizationId);
  const names = await readProviderNames(tx);
  return matches
    .filter((match) => !closed.has(match.month))
    .flatMap((match) => describeDifference(match, nameBillProvider(match.provider_id, names), BigInt(percent)));
}

function describeDifference(
  { provider_id, month, bill_nano, cost_nano, corrected_nano }: typeof closingMatches.$inferSelect,
  provider: string,
  percent: bigint,
): AlertCause[] {
  const cost = cost_nano + corrected_nano;
  const difference = bill_nano - cost;
  const size = difference < 0n ? -difference : difference;
  if (size < MIN_DIFFERENCE_NANO || size * 100n <= cost * percent) return [];
  const name = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
  const [bill, much, ours] = [bill_nano, size, cost].map((nano) => formatMoney(formatNano(nano)));
  const message = `${provider} billed ${bill} for ${name}: ${much} ${difference < 0n ? 'less' : 'more'} than our cost of ${ours}.`;
  return [{ kind: 'bill_differs', subject_id: provider_id, subject_name: provider, period: month, message }];
}
