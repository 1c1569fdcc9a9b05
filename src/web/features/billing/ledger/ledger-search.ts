import { type AnyModelId, type TaskId, TASK_IDS } from '#contract/ids.ts';
import { LEDGER_TYPES, type LedgerType, PROGRAMS } from '#contract/ledger.ts';
import { parseModel } from '#web/api/known-models.ts';
import { parseTagFilter, type TagFilter } from '#web/forms/tags/tag-filter.ts';
import { startOfUtcDay } from '#web/ui/days.ts';
import { omitUndefined, parseId, parseOption, parseText } from '#web/ui/search-params.ts';

/** The ledger's filters in the URL. `from` and `to` are UTC days, `YYYY-MM-DD`, both inclusive. */
export interface LedgerSearch {
  type?: LedgerType | undefined;
  from?: string | undefined;
  to?: string | undefined;
  task?: TaskId | undefined;
  model?: AnyModelId | undefined;
  /** ID of the key that is charged. */
  key?: string | undefined;
  /** `(none)`: programs. */
  person?: string | undefined;
  tags?: TagFilter | undefined;
  generation?: string | undefined;
  run?: string | undefined;
  entry?: number | undefined;
  /** Number, id or amount of an entry, or words. */
  q?: string | undefined;
  /** Every entry in a row of its own, instead of one row for each charge. */
  ledger?: 'entries' | undefined;
  /** ID of the entry in the details panel. */
  open?: string | undefined;
}

/** Reservations and releases are folded into charges, so only single entries can be filtered by these. */
const ENTRY_ONLY_TYPES: ReadonlySet<LedgerType> = new Set(['RESERVE', 'RELEASE']);

export const showsEntries = ({ ledger, type }: Pick<LedgerSearch, 'ledger' | 'type'>): boolean =>
  ledger === 'entries' || (type !== undefined && ENTRY_ONLY_TYPES.has(type));

export const lineTypes = LEDGER_TYPES.filter((type) => !ENTRY_ONLY_TYPES.has(type));

const parseEntryNumber = (value: unknown) =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 && Number(value) < 1e15 ? Number(value) : undefined;
const parseUtcDay = (value: unknown) => (typeof value === 'string' && startOfUtcDay(value) ? value : undefined);

export function parseLedgerSearch(raw: Record<string, unknown>): LedgerSearch {
  const { type, task, model } = raw;
  return omitUndefined({
    type: parseOption(LEDGER_TYPES, type),
    from: parseUtcDay(raw['from']),
    to: parseUtcDay(raw['to']),
    task: parseOption(TASK_IDS, task),
    model: parseModel(model),
    key: parseId(raw['key']),
    person: raw['person'] === PROGRAMS ? PROGRAMS : parseId(raw['person']),
    tags: parseTagFilter(raw['tags']),
    generation: parseId(raw['generation']),
    run: parseId(raw['run']),
    entry: parseEntryNumber(raw['entry']),
    q: parseText(raw['q']),
    ledger: parseOption(['entries'] as const, raw['ledger']),
    open: parseId(raw['open']),
  });
}
