import type { LedgerEntry } from '#contract/resources/billing.ts';
import { asc, eq } from 'drizzle-orm';
import { tags as tagTable } from '#server/db/billing-schema.ts';
import type { Deps } from '#server/deps.ts';
import { formatCsvRecord } from '#server/core/csv.ts';
import { readLedgerEntries } from './stream-entries.ts';
import { type LedgerFilter, type SeqRange, resolveSeqRange } from './ledger-filter.ts';
import { presentLedgerEntry } from './present-ledger-entry.ts';

const COLUMNS = {
  seq: ({ seq }) => seq ?? null,
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  /** A format that spreadsheets recognize as a time: to the second, without a zone. */
  date_utc: ({ created_at }) => created_at.slice(0, 19).replace('T', ' '),
  type: ({ type }) => type,
  amount_usd: ({ amount_usd }) => amount_usd,
  available_after_usd: ({ available_after_usd }) => available_after_usd,
  balance_after_usd: ({ balance_after_usd }) => balance_after_usd,
  generation_id: ({ generation_id }) => generation_id,
  task: ({ task }) => task ?? null,
  model: ({ model }) => model ?? null,
  workflow_run_id: ({ workflow_run_id }) => workflow_run_id,
  description: ({ description }) => description,
  key_id: ({ key }) => key?.id ?? null,
  key_name: ({ key }) => key?.name ?? null,
  created_by_id: ({ created_by }) => created_by?.id ?? null,
  created_by_name: ({ created_by }) => created_by?.name ?? null,
  hash: ({ hash }) => hash ?? null,
  person_id: ({ person }) => person?.id ?? null,
  person_name: ({ person }) => person?.name ?? null,
  prompt: ({ prompt }) => prompt ?? null,
} as const satisfies Record<string, Column>;
type Column = (entry: LedgerEntry) => string | number | null;

/**
 * Streams the current entries of a filter, oldest first, as CSV records, many per string. The last columns are the
 * organization's tags, such as `tag_client`.
 * @param known_range of the filter; by default that at the moment
 */
export async function* exportLedger(
  deps: Pick<Deps, 'db'>,
  organization_id: string,
  filter: LedgerFilter,
  known_range?: SeqRange,
): AsyncGenerator<string> {
  const tags = await readTagNames(deps, organization_id);
  const columns: Column[] = [
    ...Object.values(COLUMNS),
    ...tags.map(
      (name): Column =>
        (entry) =>
          entry.tags?.[name] ?? null,
    ),
  ];
  yield formatCsvRecord([...Object.keys(COLUMNS), ...tags.map((name) => `tag_${name}`)]);
  const range = known_range ?? (await resolveSeqRange(deps, organization_id, filter));
  for await (const rows of readLedgerEntries(deps, organization_id, filter, range)) {
    const entries = rows.map(({ entry, ...names }) => presentLedgerEntry(entry, names));
    yield entries.map((entry) => formatCsvRecord(columns.map((column) => column(entry)))).join('');
  }
}

const readTagNames = async ({ db }: Pick<Deps, 'db'>, organization_id: string): Promise<string[]> =>
  (
    await db
      .select({ name: tagTable.name })
      .from(tagTable)
      .where(eq(tagTable.organization_id, organization_id))
      .orderBy(asc(tagTable.created_at), asc(tagTable.name))
  ).map(({ name }) => name);
