import { GENERATION_STATUSES, type GenerationStatus } from '#contract/generation-status.ts';
import { STARTER_SLUG_PATTERN } from '#contract/workflow-status.ts';
import { startOfLocalDay } from '#web/ui/days.ts';

/** Search parameters of the page. Dates are local days, both inclusive. */
export interface WorkflowsSearch {
  part?: 'runs' | undefined;
  starter?: string | undefined;
  status?: GenerationStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

const parsePattern = (value: unknown, pattern: RegExp) =>
  typeof value === 'string' && value.length <= 100 && pattern.test(value) ? value : undefined;
const parseId = (value: unknown) => parsePattern(value, /^[\w-]{1,64}$/);
const parseDay = (value: unknown) => (typeof value === 'string' && startOfLocalDay(value) ? value : undefined);
/** Without what is undefined, so that it does not stand in the address. */
export const withoutUndefined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

/** Reads the address's search part; what is not understood is left out rather than refused. So do the others below. */
export function parseWorkflowsSearch(raw: Record<string, unknown>): WorkflowsSearch {
  const { q } = raw;
  return withoutUndefined({
    part: raw['part'] === 'runs' ? 'runs' : undefined,
    starter: parsePattern(raw['starter'], STARTER_SLUG_PATTERN),
    status: GENERATION_STATUSES.find((known) => known === raw['status']),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    q: typeof q === 'string' || typeof q === 'number' ? String(q).trim().slice(0, 500) || undefined : undefined,
  });
}

export const parseStarterSearch = (raw: Record<string, unknown>): { from?: string | undefined } =>
  withoutUndefined({ from: parseId(raw['from']) });

export const parseRunSearch = (raw: Record<string, unknown>): { step?: string | undefined } =>
  withoutUndefined({ step: parseId(raw['step']) });

export const parseRetrySearch = (raw: Record<string, unknown>): { field?: string | undefined } =>
  withoutUndefined({ field: parseId(raw['field']) });

export const parseNewStarterSearch = (
  raw: Record<string, unknown>,
): { from?: string | undefined; like?: string | undefined } =>
  withoutUndefined({ from: parseId(raw['from']), like: parsePattern(raw['like'], STARTER_SLUG_PATTERN) });
