import { MODEL_IDS, type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { LEDGER_TYPES, type LedgerType } from '#contract/ledger.ts';
import { startOfUtcDay } from '#web/ui/days.ts';

/** The ledger's filters as they stand in the address. Dates are UTC days, `YYYY-MM-DD`, both inclusive. */
export interface LedgerSearch {
  type?: LedgerType | undefined;
  from?: string | undefined;
  to?: string | undefined;
  task?: TaskId | undefined;
  model?: ModelId | undefined;
  /** Id of the key whose spending it is. */
  key?: string | undefined;
  generation?: string | undefined;
  run?: string | undefined;
  /** Number of one entry. */
  entry?: number | undefined;
}

/** What `list_ledger` takes for it. */
export interface ListLedgerQuery {
  type?: LedgerType;
  created_after?: string;
  created_before?: string;
  task?: TaskId;
  model?: ModelId;
  key_id?: string;
  generation_id?: string;
  workflow_run_id?: string;
  seq?: string;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const parseId = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined);
const parseEntryNumber = (value: unknown) =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 && Number(value) < 1e15 ? Number(value) : undefined;
const parseDay = (value: unknown) => (typeof value === 'string' && startOfUtcDay(value) ? value : undefined);
/** Without what is undefined, so that it does not stand in the address. */
export const omitUndefined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseLedgerSearch(raw: Record<string, unknown>): LedgerSearch {
  const { type, task, model } = raw;
  return omitUndefined({
    type: LEDGER_TYPES.find((known) => known === type),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    task: TASK_IDS.find((known) => known === task),
    model: MODEL_IDS.find((known) => known === model),
    key: parseId(raw['key']),
    generation: parseId(raw['generation']),
    run: parseId(raw['run']),
    entry: parseEntryNumber(raw['entry']),
  });
}

/** The query of the ledger for an address. */
export function toLedgerFilters({
  type,
  from,
  to,
  task,
  model,
  key,
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
    generation_id: generation,
    workflow_run_id: run,
    seq: entry === undefined ? undefined : String(entry),
  }) as ListLedgerQuery;
}
