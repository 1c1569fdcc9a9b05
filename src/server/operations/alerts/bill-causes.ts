import { and, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { formatMoney, formatNano, parseNano } from '#contract/money/money.ts';
import type { CloseRow } from '#contract/resources/provider-bill.ts';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { readClose } from '#server/accounts/closing/bills/read-close.ts';
import { isMonthClosed } from '#server/accounts/closing/is-month-closed.ts';
import { readProviderNames } from '#server/models/connections/read-provider-names.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
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

/** Bills of past months that are not closed, and differ too much from our known cost. */
export async function findDifferentBills(tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> {
  const [limit] = await tx
    .select({ percent: organizations.bill_difference_percent })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  const percent = limit?.percent ?? null;
  if (percent === null) return [];
  const { month, organization_id } = providerBills;
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_BACK, 1));
  const months = await tx
    .select({
      month,
      version: sql<string>`md5(string_agg(${providerBills.id} || ${providerBills.sha256}, ' '
      order by ${providerBills.id}))`,
    })
    .from(providerBills)
    .where(
      and(
        eq(organization_id, organizationId),
        gte(month, first.toISOString().slice(0, 7)),
        lt(month, now.toISOString().slice(0, 7)),
      ),
    )
    .groupBy(month);
  const causes: AlertCause[] = [];
  for (const each of months) {
    if (await isMonthClosed(tx, organizationId, each.month)) continue;
    const rows = await readKnownClose(tx, organizationId, each, now);
    causes.push(...rows.flatMap((row) => describeDifference(row, each.month, BigInt(percent))));
  }
  return causes;
}

/** Sums of a month take longer than what is done every minute should. */
const KNOWN_MS = 600_000;
const known = new Map<string, { version: string; atMs: number; rows: readonly CloseRow[] }>();

async function readKnownClose(
  tx: Tx,
  organizationId: string,
  { month, version }: { month: string; version: string },
  now: Date,
): Promise<readonly CloseRow[]> {
  const atMs = now.getTime();
  for (const [key, entry] of known) if (Math.abs(atMs - entry.atMs) >= KNOWN_MS) known.delete(key);
  const key = `${organizationId} ${month}`;
  const found = known.get(key);
  if (found?.version === version) return found.rows;
  const { data } = await readClose({ db: tx }, organizationId, month, await readProviderNames(tx));
  known.set(key, { version, atMs, rows: data });
  return data;
}

function describeDifference(
  { provider, cost_usd, bill_usd, difference_usd }: CloseRow,
  month: string,
  percent: bigint,
): AlertCause[] {
  if (bill_usd === null || difference_usd === null) return [];
  const [cost, difference] = [parseNano(cost_usd), parseNano(difference_usd)];
  const size = difference < 0n ? -difference : difference;
  if (size < MIN_DIFFERENCE_NANO || size * 100n <= cost * percent) return [];
  const name = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
  const than = difference < 0n ? 'less' : 'more';
  const message = `${provider.name} billed ${formatMoney(bill_usd)} for ${name}: ${formatMoney(formatNano(size))} ${than} than our cost of ${formatMoney(cost_usd)}.`;
  return [{ kind: 'bill_differs', subject_id: provider.id, subject_name: provider.name, period: month, message }];
}
