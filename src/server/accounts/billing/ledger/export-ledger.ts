import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { asc, eq } from 'drizzle-orm';
import { tags as tagTable } from '#server/platform/db/schema/billing-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import { readLedgerEntries } from './stream-entries.ts';
import { type LedgerFilter, type SeqRange, resolveSeqRange } from './ledger-filter.ts';
import { presentLedgerEntry } from './present-ledger-entry.ts';
import type { NamedEntry } from './read-entries.ts';

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
type Column = (entry: LedgerEntry, row: NamedEntry) => string | number | null;

/** Since consumers may read columns by their place, new ones come last. */
const METADATA_COLUMNS = {
  metadata: (_entry, { metadata }) => (metadata && Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null),
} as const satisfies Record<string, Column>;

const COST_COLUMNS = {
  cost_usd: ({ cost_usd }) => cost_usd ?? null,
  cost_basis: ({ cost_basis }) => cost_basis ?? null,
  margin_usd: ({ margin_usd }) => margin_usd ?? null,
} as const satisfies Record<string, Column>;

/**
 * Streams the current entries of a filter, oldest first, as CSV records, many per string. The organization's tags, such as
 * `tag_client`, are columns, and with `seesCosts` what providers charged.
 * @param known what was read before, so that several files show the same
 */
export async function* exportLedger(
  deps: Deps,
  organizationId: string,
  filter: LedgerFilter,
  known: { range?: SeqRange; tags?: readonly string[]; onEntry?: (entry: LedgerEntry) => void } = {},
): AsyncGenerator<string> {
  const tags = known.tags ?? (await readTagNames(deps, organizationId));
  const columns: Record<string, Column> = {
    ...COLUMNS,
    ...Object.fromEntries(tags.map((name): [string, Column] => [`tag_${name}`, (entry) => entry.tags?.[name] ?? null])),
    ...METADATA_COLUMNS,
    ...(filter.seesCosts ? COST_COLUMNS : {}),
  };
  yield formatCsvRecord(Object.keys(columns));
  const range = known.range ?? (await resolveSeqRange(deps, organizationId, filter));
  for await (const rows of readLedgerEntries(deps.db, organizationId, filter, range)) {
    const records = rows.map((row) => {
      const { entry, ...names } = row;
      const presented = presentLedgerEntry(entry, names, filter.seesCosts);
      known.onEntry?.(presented);
      return formatCsvRecord(Object.values(columns).map((column) => column(presented, row)));
    });
    yield records.join('');
  }
}

export const readTagNames = async (
  { db }: { db: Pick<Deps['db'], 'select'> },
  organizationId: string,
): Promise<string[]> =>
  (
    await db
      .select({ name: tagTable.name })
      .from(tagTable)
      .where(eq(tagTable.organization_id, organizationId))
      .orderBy(asc(tagTable.created_at), asc(tagTable.name))
  ).map(({ name }) => name);
