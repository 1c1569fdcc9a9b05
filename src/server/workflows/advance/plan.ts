import type { StepStatus } from '#contract/workflow-status.ts';
import { type ItemPart, type RunParts, type RunRow, hasEnded, isDone, stepStatus } from '../runs/run-parts.ts';

/** What is to be done next for a run. */
export type Action =
  | { do: 'stop'; step_key: string }
  | { do: 'begin'; step_key: string }
  | { do: 'place'; step_key: string; item: ItemPart['row'] }
  | { do: 'finish' };

export interface Planned {
  actions: Action[];
  /** What the run is at while there is nothing to do. */
  status: 'queued' | 'running' | 'manual_review';
}

/** Of a step, what decides when it may begin. */
export interface Waiting {
  key: string;
  needs: readonly string[];
}

/**
 * What can be done for a run that has not ended: steps whose needs are done begin, what waits for one that did not end
 * well is stopped, and nothing else is touched by that.
 */
export function plan(run: Pick<RunRow, 'status'>, steps: readonly Waiting[], parts: RunParts): Planned {
  const statuses = new Map<string, StepStatus>();
  for (const [key, part] of parts) statuses.set(key, stepStatus(run, part));
  const needs_of = new Map(steps.map(({ key, needs }) => [key, needs]));
  const ofNeed = (key: string): StepStatus => {
    const status = statuses.get(key) ?? 'stopped';
    return status === 'skipped' ? passedOn((needs_of.get(key) ?? []).map(ofNeed)) : status;
  };
  const actions = steps.flatMap(({ key, needs }) => {
    const part = parts.get(key);
    if (!part) return [];
    if (part.row.state === 'begun') return unplaced(key, part.items);
    return part.row.state === 'waiting' ? next(key, needs.map(ofNeed)) : [];
  });
  if (actions.length === 0 && [...statuses.values()].every(hasEnded)) actions.push({ do: 'finish' });
  return { actions, status: statusOf([...statuses.values()]) };
}

const unplaced = (step_key: string, items: readonly ItemPart[]): Action[] =>
  items.flatMap(({ row }) =>
    row.generation_id === null && row.error === null ? [{ do: 'place', step_key, item: row }] : [],
  );

/** What a step that is skipped from the start passes on: those that wait for it wait for what it would wait for. */
const passedOn = (of_needs: readonly StepStatus[]): StepStatus =>
  of_needs.find((status) => !isDone(status) && hasEnded(status)) ??
  of_needs.find((status) => !hasEnded(status)) ??
  'skipped';

function next(step_key: string, of_needs: readonly StepStatus[]): Action[] {
  if (of_needs.some((status) => hasEnded(status) && !isDone(status))) return [{ do: 'stop', step_key }];
  return of_needs.every(isDone) ? [{ do: 'begin', step_key }] : [];
}

function statusOf(statuses: readonly StepStatus[]): Planned['status'] {
  if (statuses.some((status) => status === 'queued' || status === 'running')) return 'running';
  if (statuses.includes('manual_review')) return 'manual_review';
  return statuses.some(hasEnded) ? 'running' : 'queued';
}
