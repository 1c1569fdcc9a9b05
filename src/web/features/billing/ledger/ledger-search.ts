import { MODEL_IDS, type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { LEDGER_TYPES, type LedgerType } from '#contract/ledger.ts';
import { startOfUtcDay } from '#web/ui/days.ts';
import { omitUndefined, parseId, parseOption } from '#web/ui/search-params.ts';

/** The ledger's filters in the URL. `from` and `to` are UTC days, `YYYY-MM-DD`, both inclusive. */
export interface LedgerSearch {
  type?: LedgerType | undefined;
  from?: string | undefined;
  to?: string | undefined;
  task?: TaskId | undefined;
  model?: ModelId | undefined;
  /** ID of the key that is charged. */
  key?: string | undefined;
  person?: string | undefined;
  /** Values by tag; null: none. */
  tags?: Readonly<Record<string, string | null>> | undefined;
  generation?: string | undefined;
  run?: string | undefined;
  entry?: number | undefined;
}

export interface ListLedgerQuery {
  type?: LedgerType;
  created_after?: string;
  created_before?: string;
  task?: TaskId;
  model?: ModelId;
  key_id?: string;
  person_id?: string;
  tags?: string;
  generation_id?: string;
  workflow_run_id?: string;
  seq?: string;
}

const parseEntryNumber = (value: unknown) =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 && Number(value) < 1e15 ? Number(value) : undefined;
const parseUtcDay = (value: unknown) => (typeof value === 'string' && startOfUtcDay(value) ? value : undefined);

function parseTags(value: unknown): LedgerSearch['tags'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(([, tag]) => tag === null || typeof tag === 'string');
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

export function parseLedgerSearch(raw: Record<string, unknown>): LedgerSearch {
  const { type, task, model } = raw;
  return omitUndefined({
    type: parseOption(LEDGER_TYPES, type),
    from: parseUtcDay(raw['from']),
    to: parseUtcDay(raw['to']),
    task: parseOption(TASK_IDS, task),
    model: parseOption(MODEL_IDS, model),
    key: parseId(raw['key']),
    person: parseId(raw['person']),
    tags: parseTags(raw['tags']),
    generation: parseId(raw['generation']),
    run: parseId(raw['run']),
    entry: parseEntryNumber(raw['entry']),
  });
}

/** Converts the search parameters to query parameters of `list_ledger`. */
export function toLedgerFilters({
  type,
  from,
  to,
  task,
  model,
  key,
  person,
  tags,
  generation,
  run,
  entry,
}: LedgerSearch): ListLedgerQuery {
  return omitUndefined({
    type,
    created_after: startOfUtcDay(from)?.toISOString(),
    created_before: startOfUtcDay(to, 1)?.toISOString(),
    task,
    model,
    key_id: key,
    person_id: person,
    tags: tags && JSON.stringify(tags),
    generation_id: generation,
    workflow_run_id: run,
    seq: entry === undefined ? undefined : String(entry),
  });
}
