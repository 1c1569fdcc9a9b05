import { useQuery } from '@tanstack/react-query';
import { GENERATION_STATUSES, STARTER_SLUG_PATTERN } from '#contract/statuses.ts';
import { startersQuery } from '#web/api/queries/workflow-starters.ts';
import {
  choiceRow,
  dayRows,
  parseSearch,
  personRow,
  type SearchOf,
  statusRow,
  textRow,
} from '#web/collections/filter-rows.ts';
import { omitUndefined, parseId, parseOption, parsePattern } from '#web/ui/search-params.ts';

export const RUN_FILTERS = {
  q: textRow('Search runs'),
  status: statusRow(GENERATION_STATUSES),
  person: personRow(),
  starter: choiceRow({
    query: 'starter_slug',
    label: 'Workflow',
    all: 'All workflows',
    parse: (raw) => parsePattern(STARTER_SLUG_PATTERN, raw),
    useOptions: useStarterOptions,
  }),
  ...dayRows({ after: 'created_after', before: 'created_before' }),
};

/** Search parameters of the page: the tab, and the filters of the runs. */
export interface WorkflowsSearch extends SearchOf<typeof RUN_FILTERS> {
  part?: 'runs' | undefined;
}

/** Omits invalid ones, like the functions below. */
export const parseWorkflowsSearch = (raw: Record<string, unknown>): WorkflowsSearch =>
  omitUndefined({ part: parseOption(['runs'], raw['part']), ...parseSearch(RUN_FILTERS, raw) });

/** Includes a deleted workflow of the address. */
function useStarterOptions(selected: string | undefined) {
  const { data = [] } = useQuery(startersQuery);
  const names = data.map(({ slug, name }) => ({ value: slug, label: name }));
  if (selected === undefined || names.some(({ value }) => value === selected)) return names;
  return [...names, { value: selected, label: selected }];
}

export const parseStarterSearch = (raw: Record<string, unknown>): { from?: string | undefined } =>
  omitUndefined({ from: parseId(raw['from']) });

export const parseRunSearch = (raw: Record<string, unknown>): { step?: string | undefined } =>
  omitUndefined({ step: parseId(raw['step']) });

export const parseRetrySearch = (raw: Record<string, unknown>): { field?: string | undefined } =>
  omitUndefined({ field: parseId(raw['field']) });

export const parseNewStarterSearch = (
  raw: Record<string, unknown>,
): { from?: string | undefined; like?: string | undefined } =>
  omitUndefined({ from: parseId(raw['from']), like: parsePattern(STARTER_SLUG_PATTERN, raw['like']) });
