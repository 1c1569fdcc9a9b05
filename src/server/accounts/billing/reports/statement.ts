import type { Db } from '#server/platform/db/db.ts';
import { LEDGER_TYPES, PROGRAMS, type SpendingGroup } from '#contract/money/ledger.ts';
import { and, eq } from 'drizzle-orm';
import { formatUsd } from '#contract/money/money.ts';
import { type Statement } from '#contract/resources/audit.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { resolveSeqRange } from '#server/accounts/billing/ledger/ledger-filter.ts';
import { presentCostSums, readCostSums } from './cost-sums.ts';
import { labelsOf, readDimensionNames } from './dimensions.ts';
import { readPricesInForce } from './price-books.ts';
import { sumBy } from './report.ts';
import { rankSums, totalSums } from './report-table.ts';
import type { SpendingScope } from './spending-scope.ts';

export interface StatementOptions {
  /** UTC, such as `2026-11`; the current one by default. */
  month?: string | undefined;
  /** A breakdown for each. */
  by?: readonly SpendingGroup[];
  /** With the costs of providers, which a statement for a client leaves out. */
  costs?: boolean;
  /** Names what a scope other than the whole organization was resolved from. */
  person_id?: string | undefined;
}

/** Pass a snapshot transaction as `db`, so that sums and breakdowns agree. */
export async function readStatement(
  deps: Deps,
  scope: SpendingScope,
  { month = deps.clock.now().toISOString().slice(0, 7), by = [], costs = false, person_id }: StatementOptions = {},
): Promise<Statement> {
  const { organization_id, key_ids, tags, seesCosts } = scope;
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + 1);
  const bounds = { created_after: from.toISOString(), created_before: to.toISOString() };
  const range = await resolveSeqRange(deps, organization_id, bounds);
  const isFiltered = key_ids !== null || tags.size > 0;
  const sums = await sumBy(deps.db, scope, { from, to }, ['type'], ['amount', 'entries', 'spent']);
  const total = totalSums(sums);
  const [organization] = await deps.db.select().from(organizations).where(eq(organizations.id, organization_id));
  const before = await findEntryAt(deps.db, organization_id, range.first - 1n);
  const last = await findEntryAt(deps.db, organization_id, range.end - 1n);
  const oldest = await findEntryAt(deps.db, organization_id, 1n);
  const isEmpty = range.first >= range.end;
  const breakdowns: Statement['breakdowns'] = [];
  for (const group of by) breakdowns.push(await readBreakdown(deps.db, scope, { from, to, by: group }));
  return {
    object: 'billing_statement',
    organization: { id: organization_id, name: organization?.name ?? '' },
    month,
    from: from.toISOString(),
    to: to.toISOString(),
    is_final: deps.clock.now() >= to,
    currency: 'usd',
    filter: isFiltered
      ? { person: await describePerson(deps.db, organization_id, person_id), tags: Object.fromEntries(tags) }
      : null,
    opening: isFiltered ? null : fundsAfter(before),
    by_type: LEDGER_TYPES.map((type) => {
      const sum = sums.find(({ values: [value] }) => value === type)?.sums;
      return { type, amount_usd: formatUsd(sum?.amount ?? 0n), count: Number(sum?.entries ?? 0n) };
    }),
    closing: isFiltered ? null : fundsAfter(last),
    spent_usd: formatUsd(total?.spent ?? 0n),
    ...(costs && seesCosts ? { costs: presentCostSums(await readCostSums(deps.db, scope, { from, to })) } : {}),
    entry_count: Number(total?.entries ?? 0n),
    first_seq: isEmpty ? null : Number(range.first),
    last_seq: isEmpty ? null : Number(range.end - 1n),
    head_seq: last ? Number(last.seq) : null,
    head_hash: last?.hash ?? null,
    first_month: oldest?.created_at.toISOString().slice(0, 7) ?? null,
    breakdowns,
    prices: await readPricesInForce(deps, from, to),
  };
}

const MAX_ROWS = 200;

/**
 * Reads what a month's spending consists of, largest first. What is beyond 200 rows is one row “Other”, so that the rows
 * add up to what was spent.
 */
async function readBreakdown(
  db: Db,
  scope: SpendingScope,
  { from, to, by }: { from: Date; to: Date; by: SpendingGroup },
): Promise<Statement['breakdowns'][number]> {
  const labelOf = labelsOf(by, await readDimensionNames(db, scope.organization_id));
  const sums = await sumBy(db, scope, { from, to }, [by], ['spent', 'charges']);
  const parts = sums.map((row) => ({ label: labelOf(row.values[0] ?? null), sums: row.sums }));
  const { headings } = rankSums(parts, { limit: MAX_ROWS, isTime: false, size: ({ spent }) => spent });
  const rows = headings.map(({ label, sums: { spent, charges } }) => ({
    ...label,
    amount_usd: formatUsd(spent),
    count: Number(charges),
  }));
  return { by, rows };
}

export async function findEntryAt(db: Db, organizationId: string, seq: bigint) {
  const [entry] = await db
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.organization_id, organizationId), eq(ledgerEntries.seq, seq)));
  return entry;
}

async function describePerson(
  db: Db,
  organizationId: string,
  personId: string | undefined,
): Promise<NonNullable<Statement['filter']>['person']> {
  if (personId === undefined) return null;
  if (personId === PROGRAMS) return { id: null, name: 'Programs' };
  const ofOrganization = and(eq(people.organization_id, organizationId), eq(people.id, personId));
  const [person] = await db.select({ name: people.name }).from(people).where(ofOrganization);
  return { id: personId, name: person?.name ?? personId };
}

function fundsAfter(entry: Awaited<ReturnType<typeof findEntryAt>>): NonNullable<Statement['opening']> {
  const { available_after_micro_usd: available, balance_after_micro_usd: balance } = entry ?? {
    available_after_micro_usd: 0n,
    balance_after_micro_usd: 0n,
  };
  return {
    available_usd: formatUsd(available),
    reserved_usd: formatUsd(balance - available),
    balance_usd: formatUsd(balance),
  };
}
