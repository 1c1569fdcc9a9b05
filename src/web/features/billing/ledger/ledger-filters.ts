import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { LedgerType } from '#contract/ledger.ts';
import { startOfUtcDay } from '#web/ui/days.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { LedgerSearch } from './ledger-search.ts';

export interface ListLedgerQuery {
  type?: LedgerType;
  created_after?: string;
  created_before?: string;
  task?: TaskId;
  model?: AnyModelId;
  key_id?: string;
  person_id?: string;
  tags?: string;
  generation_id?: string;
  workflow_run_id?: string;
  seq?: string;
  q?: string;
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
  q,
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
    q,
  });
}
