import { type AnyModelId, isAddedModelId, MODEL_IDS } from '#contract/ids.ts';

/** UTC; weeks start on Monday. */
export const BUDGET_INTERVALS = ['day', 'week', 'month'] as const;
export type BudgetInterval = (typeof BUDGET_INTERVALS)[number];

/** Which work a budget limits. A person's scope includes all their keys. Decision: Budgets */
export type BudgetScope =
  | 'organization'
  | `person:${string}`
  | `key:${string}`
  | `model:${string}`
  | `tag:${string}=${string}`;

export type ParsedScope =
  | { type: 'organization' }
  | { type: 'person'; id: string }
  | { type: 'key'; id: string }
  | { type: 'model'; id: AnyModelId }
  | { type: 'tag'; name: string; value: string };

const SCOPE_PATTERN =
  /^(?:organization|(?<type>person|key|model):(?<id>[A-Za-z0-9_.-]{1,64})|tag:(?<name>[^=\s]{1,40})=(?<value>.{1,500}))$/su;

/** Parses the text of a scope; null if it is malformed or names an unknown model. */
export function parseBudgetScope(text: string): ParsedScope | null {
  const match = SCOPE_PATTERN.exec(text)?.groups;
  if (!match) return text === 'organization' ? { type: 'organization' } : null;
  const { type, id = '', name, value = '' } = match;
  if (name !== undefined) return { type: 'tag', name, value };
  if (type === 'person' || type === 'key') return { type, id };
  const model = MODEL_IDS.find((each) => each === id) ?? (isAddedModelId(id) ? id : undefined);
  if (type === 'model') return model ? { type, id: model } : null;
  return { type: 'organization' };
}

export const isBudgetScope = (text: string): text is BudgetScope => parseBudgetScope(text) !== null;

/** Whether one person or program alone spends under it, so that its sums show nothing of others. */
export const isSharedScope = (scope: string): boolean => !scope.startsWith('person:') && !scope.startsWith('key:');

/** First day of the interval that contains a time, as `2026-11-23`. */
export function startOfInterval(interval: BudgetInterval, time: Date): string {
  const day = time.toISOString().slice(0, 10);
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  const start = new Date(`${day}T00:00:00Z`);
  if (interval === 'week') start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7));
  return start.toISOString().slice(0, 10);
}

/** First day of the next interval. */
export function endOfInterval(interval: BudgetInterval, startDay: string): string {
  const end = new Date(`${startDay}T00:00:00Z`);
  if (interval === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + (interval === 'week' ? 7 : 1));
  return end.toISOString().slice(0, 10);
}
