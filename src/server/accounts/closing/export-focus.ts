import type { FocusView } from '#contract/resources/audit.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import type { LedgerType } from '#contract/money/ledger.ts';
import { type SeqRange, resolveSeqRange } from '#server/accounts/billing/ledger/ledger-filter.ts';
import type { NamedEntry } from '#server/accounts/billing/ledger/read-entries.ts';
import type { SpendingScope } from '#server/accounts/billing/reports/spending-scope.ts';
import { readLedgerEntries } from '#server/accounts/billing/ledger/stream-entries.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { nameBillProvider } from './bills/list-bills.ts';
import { readCorrectionRows } from './focus-corrections.ts';
import { CHARGES, toProviderCharge, type WorkFacts } from './focus-charge.ts';
import { focusColumns, type FocusRow } from './focus-columns.ts';

export interface FocusExport {
  /** A month in UTC: `2026-11`. */
  period: string;
  view: FocusView;
  /** Names of connected providers, by id of the connection. */
  providers: ReadonlyMap<string, string>;
  /** Entries from this number on are left out. */
  before?: bigint;
}

const ENTRY_TYPES = {
  charges: ['TOP_UP', 'ADMIN_CREDIT', 'ADJUSTMENT', 'SETTLE', 'REFUND'],
  costs: ['SETTLE', 'RELEASE'],
} as const satisfies Record<FocusView, readonly LedgerType[]>;

const NO_WORK: WorkFacts = { line_items: [], request_id: null, provider: null, isEarlier: false };

/**
 * Streams a month as FOCUS 1.2: what was charged, or what providers bill. Sums are those of the ledger: the effective costs
 * of usage are its charges less refunds, those of providers its costs. Decision: FOCUS export
 */
export async function* exportFocus(
  { db }: { db: Db },
  { organization_id, key_ids, tags, seesCosts = false }: SpendingScope,
  { period: month, view, providers, before }: FocusExport,
): AsyncGenerator<string> {
  const period = parseMonth(month);
  const columns = focusColumns(seesCosts);
  const formatRow = (row: FocusRow): string => formatCsvRecord(columns.map(([, read]) => read(row)));
  yield formatCsvRecord(columns.map(([name]) => name));
  const [{ name = '' } = {}] = await db
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organization_id));
  const shared = { view, period, organization: { id: organization_id, name } };
  const filter = { key_ids: key_ids ?? undefined, tags, seesCosts };
  const times = { created_after: period.start.toISOString(), created_before: period.end.toISOString() };
  const range = clip(await resolveSeqRange({ db }, organization_id, times), before);
  for await (const entries of readLedgerEntries(db, organization_id, filter, range, ENTRY_TYPES[view])) {
    const facts = await readWorkFacts(db, entries, period.start, providers);
    const rows = entries.flatMap((entry): FocusRow[] => {
      const work = facts.get(entry.entry.generation_id ?? '') ?? NO_WORK;
      const charge = view === 'costs' ? toProviderCharge(entry, work) : CHARGES[entry.entry.type]?.(entry, work);
      return charge ? [{ ...entry, ...shared, charge, work }] : [];
    });
    yield rows.map(formatRow).join('');
  }
  if (view !== 'costs') return;
  for await (const rows of readCorrectionRows(db, organization_id, period, { key_ids, tags }))
    yield rows
      .map(({ provider_id, ...row }) => {
        const provider = { id: provider_id, name: nameBillProvider(provider_id, providers) };
        return formatRow({ ...row, ...shared, work: { ...NO_WORK, provider, request_id: row.request_id } });
      })
      .join('');
}

function parseMonth(month: string): FocusRow['period'] {
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return { start, end };
}

const clip = ({ first, end }: SeqRange, before: bigint | undefined): SeqRange => ({
  first,
  end: before !== undefined && before < end ? before : end,
});

/** One query per page, so that other lists of the ledger don't read what they don't show. */
async function readWorkFacts(
  db: Db,
  entries: readonly NamedEntry[],
  start: Date,
  providers: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, WorkFacts>> {
  const ids = [...new Set(entries.flatMap(({ entry: { generation_id } }) => generation_id ?? []))];
  if (ids.length === 0) return new Map();
  const { id, line_items } = generations;
  const { engine, connection_id, request_id } = upstreamJobs;
  const isEarlier = sql<boolean>`exists (select from ${ledgerEntries} as charge where charge.generation_id = ${id}
    and charge.type = 'SETTLE' and charge.created_at < ${start.toISOString()}::timestamptz)`;
  const rows = await db
    .select({ id, line_items, engine, connection_id, request_id, isEarlier })
    .from(generations)
    .leftJoin(upstreamJobs, eq(upstreamJobs.generation_id, id))
    .where(inArray(id, ids));
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, provider: row.engine === null ? null : nameProvider(row.engine, row, providers) },
    ]),
  );
}

/** Ids as in the margin. */
function nameProvider(
  engine: string,
  { connection_id }: { connection_id: string | null },
  providers: ReadonlyMap<string, string>,
): NonNullable<WorkFacts['provider']> {
  const [file = engine] = engine.split('/');
  if (connection_id === null) return { id: `file:${file}`, name: file };
  return { id: connection_id, name: providers.get(connection_id) ?? file };
}
