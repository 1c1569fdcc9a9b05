import { LEDGER_TYPES } from '#contract/ledger.ts';
import { and, eq } from 'drizzle-orm';
import { formatUsd } from '#contract/money.ts';
import { type Statement } from '#contract/resources/audit.ts';
import { ledgerEntries } from '#server/db/billing-schema.ts';
import { organizations } from '#server/db/organization-schema.ts';
import type { Deps } from '#server/deps.ts';
import { formatCsvRecord } from '#server/core/csv.ts';
import { resolveSeqRange } from './ledger-filter.ts';
import { readPricesInForce } from './price-books.ts';
import { netSpending, sumEntriesByType } from './sum-entries.ts';

type StatementDeps = Pick<Deps, 'clock' | 'offering'> & { db: Pick<Deps['db'], 'select'> };

/** @param month UTC, such as `2026-11`; undefined: the current one */
export async function readStatement(
  deps: StatementDeps,
  organization_id: string,
  month = deps.clock.now().toISOString().slice(0, 7),
): Promise<Statement> {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + 1);
  const bounds = { created_after: from.toISOString(), created_before: to.toISOString() };
  const range = await resolveSeqRange(deps, organization_id, bounds);
  const sums = await sumEntriesByType(deps, organization_id, {}, range);
  const [organization] = await deps.db.select().from(organizations).where(eq(organizations.id, organization_id));
  const before = await findEntryAt(deps, organization_id, range.first - 1n);
  const last = await findEntryAt(deps, organization_id, range.end - 1n);
  const oldest = await findEntryAt(deps, organization_id, 1n);
  const isEmpty = range.first >= range.end;
  return {
    object: 'billing_statement',
    organization: { id: organization_id, name: organization?.name ?? '' },
    month,
    from: from.toISOString(),
    to: to.toISOString(),
    is_final: deps.clock.now() >= to,
    currency: 'usd',
    opening: fundsAfter(before),
    by_type: LEDGER_TYPES.map((type) => {
      const { amount_micro_usd, count } = sums.get(type) ?? { amount_micro_usd: 0n, count: 0 };
      return { type, amount_usd: formatUsd(amount_micro_usd), count };
    }),
    closing: fundsAfter(last),
    spent_usd: formatUsd(netSpending(sums)),
    entry_count: Number(range.end - range.first),
    first_seq: isEmpty ? null : Number(range.first),
    last_seq: isEmpty ? null : Number(range.end - 1n),
    head_seq: last ? Number(last.seq) : null,
    head_hash: last?.hash ?? null,
    first_month: oldest?.created_at.toISOString().slice(0, 7) ?? null,
    prices: await readPricesInForce(deps, from, to),
  };
}

export async function findEntryAt({ db }: Pick<StatementDeps, 'db'>, organization_id: string, seq: bigint) {
  const [entry] = await db
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.organization_id, organization_id), eq(ledgerEntries.seq, seq)));
  return entry;
}

function fundsAfter(entry: Awaited<ReturnType<typeof findEntryAt>>): Statement['opening'] {
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

export async function* exportStatement(
  deps: StatementDeps,
  organization_id: string,
  month: string | undefined,
): AsyncGenerator<string> {
  yield* formatStatement(await readStatement(deps, organization_id, month));
}

/** The CSV records of a statement. */
export function* formatStatement(statement: Statement): Generator<string> {
  yield formatCsvRecord(['section', 'name', 'amount_usd', 'count', 'seq', 'note']);
  for (const section of ['opening', 'closing'] as const) {
    for (const [name, amount_usd] of Object.entries(statement[section])) {
      yield formatCsvRecord([section, name.replace('_usd', ''), amount_usd, null, null, statement.month]);
    }
  }
  for (const { type, amount_usd, count } of statement.by_type)
    yield formatCsvRecord(['entries', type, amount_usd, count, null, null]);
  yield formatCsvRecord(['entries', 'all', null, statement.entry_count, null, null]);
  const charges = statement.by_type.find(({ type }) => type === 'SETTLE')?.count ?? 0;
  yield formatCsvRecord(['entries', 'spent', statement.spent_usd, charges, null, 'SETTLE less REFUND']);
  yield formatCsvRecord(['entries', 'head', null, null, statement.head_seq ?? null, statement.head_hash]);
  for (const { since, data } of statement.prices) {
    for (const { task, model, unit, unit_price_usd, minimum_usd } of data) {
      const note = `per ${unit}, at least ${minimum_usd}${since === null ? '' : `, since ${since}`}`;
      yield formatCsvRecord(['price', [task, model].filter(Boolean).join(' '), unit_price_usd, null, null, note]);
    }
  }
}
