import { GENERATION_STATUSES, type GenerationStatus, STARTER_SLUG_PATTERN } from '#contract/statuses.ts';
import { omitUndefined, parseDay, parseId, parseOption, parsePattern, parseText } from '#web/ui/search-params.ts';

/** Search parameters of the page. Dates are local days, both inclusive. */
export interface WorkflowsSearch {
  part?: 'runs' | undefined;
  starter?: string | undefined;
  status?: GenerationStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
  /** Of the runs; see `usePersonFilter`. */
  person?: string | undefined;
}

/** Omits invalid ones, like the functions below. */
export function parseWorkflowsSearch(raw: Record<string, unknown>): WorkflowsSearch {
  return omitUndefined({
    part: parseOption(['runs'], raw['part']),
    starter: parsePattern(STARTER_SLUG_PATTERN, raw['starter']),
    status: parseOption(GENERATION_STATUSES, raw['status']),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    q: parseText(raw['q']),
    person: parseId(raw['person']),
  });
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
