import type { LedgerEntry } from '#contract/resources/billing.ts';
import type { Deps } from '#server/deps.ts';
import { formatCsvRecord } from './csv.ts';
import { readLedgerEntries } from './read-entries.ts';
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
} as const satisfies Record<string, (entry: LedgerEntry) => string | number | null>;

/**
 * Streams the current entries of a filter, oldest first, as CSV records, many per string.
 * @param known_range of the filter; by default that at the moment
 */
export async function* exportLedger(
  deps: Pick<Deps, 'db'>,
  organization_id: string,
  filter: LedgerFilter,
  known_range?: SeqRange,
): AsyncGenerator<string> {
  yield formatCsvRecord(Object.keys(COLUMNS));
  const range = known_range ?? (await resolveSeqRange(deps, organization_id, filter));
  for await (const rows of readLedgerEntries(deps, organization_id, filter, range)) {
    const entries = rows.map(({ entry, ...names }) => presentLedgerEntry(entry, names));
    yield entries.map((entry) => formatCsvRecord(Object.values(COLUMNS).map((column) => column(entry)))).join('');
  }
}
