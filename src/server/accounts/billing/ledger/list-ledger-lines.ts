import type { Db } from '#server/platform/db/db.ts';
import { type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import type { LedgerLineStatus, LedgerType } from '#contract/money/ledger.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { LedgerLine } from '#contract/resources/ledger.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type LedgerFilter, bothSigns } from './ledger-filter.ts';
import { type LedgerPageQuery, readLedgerPage } from './list-ledger.ts';
import { presentLineCost } from './entry-costs.ts';
import { presentReference, presentWork } from './present-ledger-entry.ts';
import type { NamedEntry } from './read-entries.ts';

/** Types of the entries that begin a line. */
const FIRST_TYPES: readonly LedgerType[] = ['RESERVE', 'TOP_UP', 'ADMIN_CREDIT', 'ADJUSTMENT'];

/**
 * Reads a page of the ledger with the entries of each generation folded into one line, newest first. A line stands
 * where its first entry that matches the filter stands, which never changes, so that pages are stable.
 * Decision: Ledger lines
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export const listLedgerLines = (
  deps: Deps,
  organizationId: string,
  query: LedgerPageQuery,
): Promise<List<LedgerLine>> =>
  readLedgerPage(deps, { organization_id: organizationId, list: 'ledger_lines' }, query, {
    asLines: true,
    select: selectFirstEntries,
    present: (rows) => foldEntries(deps, rows, query.seesCosts),
  });

function selectFirstEntries({ type, amount_micro_usd }: LedgerFilter) {
  if (type !== 'REFUND' && amount_micro_usd === undefined) return { types: type ? [type] : FIRST_TYPES };
  const { generation_id, seq } = ledgerEntries;
  const ofType = type === undefined ? sql`` : sql` and earlier.type = ${type}`;
  const ofAmount =
    amount_micro_usd === undefined
      ? sql``
      : sql` and earlier.amount_micro_usd in (${sql.join(
          bothSigns(amount_micro_usd).map((amount) => sql`${amount}::bigint`),
          sql`, `,
        )})`;
  const condition: SQL = sql`not exists (select from ${ledgerEntries} as earlier
    where earlier.generation_id = ${generation_id} and earlier.seq < ${seq}${ofType}${ofAmount})`;
  return { types: type && [type], condition };
}

/** A charge can have any number of refunds. */
const MAX_LISTED_SEQS = 100;

interface Folded {
  generation_id: string | null;
  amount: string;
  charged: string;
  refunded: string;
  /** In order, at most 100. */
  seqs: string[];
  first_seq: string;
  last_seq: string;
  count: number;
  created_at: Date;
  last_entry_at: Date;
  last_entry_id: string;
  lastType: LedgerType;
  description: string;
  reason: string | null;
}

async function foldEntries(deps: Deps, rows: readonly NamedEntry[], seesCosts = false): Promise<LedgerLine[]> {
  const ids = rows.flatMap(({ entry }) => entry.generation_id ?? []);
  const folded = new Map(
    (ids.length > 0 ? await readFolded(deps.db, ids) : []).map((line) => [line.generation_id, line]),
  );
  return rows.map((row) =>
    presentLine(row, (row.entry.generation_id && folded.get(row.entry.generation_id)) || foldAlone(row), seesCosts),
  );
}

function readFolded(db: Db, ids: readonly string[]): Promise<Folded[]> {
  const { generation_id, amount_micro_usd, type, seq, id, description, created_at } = ledgerEntries;
  const sumOf = (condition: SQL): SQL<string> =>
    sql`coalesce(sum(${amount_micro_usd}) filter (where ${condition}), 0)::text`;
  const last = <T>(column: SQL | typeof id | typeof type | typeof description, more: SQL = sql``): SQL<T> =>
    sql`(array_agg(${column} order by ${seq} desc)${more})[1]`;
  return db
    .select({
      generation_id,
      amount: sumOf(sql`true`),
      charged: sumOf(eq(type, 'SETTLE')),
      refunded: sumOf(eq(type, 'REFUND')),
      seqs: sql<string[]>`(array_agg(${seq}::text order by ${seq}))[1:${sql.raw(String(MAX_LISTED_SEQS))}]`,
      first_seq: sql<string>`min(${seq})::text`,
      last_seq: sql<string>`max(${seq})::text`,
      count: sql<number>`count(*)::int`,
      created_at: sql`min(${created_at})`.mapWith(created_at),
      last_entry_at: sql`max(${created_at})`.mapWith(created_at),
      last_entry_id: last<string>(id),
      lastType: last<LedgerType>(type),
      description: sql<string>`(array_agg(${description} order by ${seq}))[1]`,
      reason: last<string | null>(description, sql` filter (where ${type} = 'REFUND')`),
    })
    .from(ledgerEntries)
    .where(and(inArray(generation_id, [...ids])))
    .groupBy(generation_id);
}

const foldAlone = ({ entry }: NamedEntry): Folded => ({
  generation_id: null,
  amount: String(entry.amount_micro_usd),
  charged: '0',
  refunded: '0',
  seqs: [String(entry.seq)],
  first_seq: String(entry.seq),
  last_seq: String(entry.seq),
  count: 1,
  created_at: entry.created_at,
  last_entry_at: entry.created_at,
  last_entry_id: entry.id,
  lastType: entry.type,
  description: entry.description,
  reason: null,
});

function lineStatus({ lastType, charged, refunded }: Folded): LedgerLineStatus {
  if (lastType === 'RESERVE') return 'reserved';
  if (lastType === 'RELEASE') return 'released';
  if (lastType === 'SETTLE') return 'charged';
  if (lastType === 'REFUND') return -BigInt(charged) === BigInt(refunded) ? 'refunded' : 'partly_refunded';
  return lastType === 'ADJUSTMENT' ? 'adjusted' : 'credited';
}

const presentLine = (
  { entry, mover_name, key_name, ...work }: NamedEntry,
  line: Folded,
  seesCosts: boolean,
): LedgerLine => ({
  id: entry.id,
  object: 'ledger_line',
  status: lineStatus(line),
  amount_usd: formatUsd(BigInt(line.amount)),
  charged_usd: formatUsd(-BigInt(line.charged)),
  refunded_usd: formatUsd(BigInt(line.refunded)),
  seqs: line.seqs.map(Number),
  first_seq: Number(line.first_seq),
  last_seq: Number(line.last_seq),
  last_entry_id: line.last_entry_id,
  entry_count: line.count,
  generation_id: entry.generation_id,
  workflow_run_id: entry.workflow_run_id,
  task: entry.task,
  model: entry.model,
  description: line.description,
  reason: line.reason,
  key: presentReference(entry.key_id, key_name),
  created_by: presentReference(entry.created_by, mover_name),
  ...presentWork(work),
  ...(seesCosts ? presentLineCost(BigInt(line.amount), line.lastType !== 'RESERVE', work) : {}),
  created_at: line.created_at.toISOString(),
  last_entry_at: line.last_entry_at.toISOString(),
});
