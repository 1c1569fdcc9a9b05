import type { StepStatus } from '#contract/statuses.ts';
import {
  type RunItem,
  type RunStepsByKey,
  type RunRow,
  isStepFinal,
  isDone,
  stepStatus,
} from '#server/studio/workflows/runs/run-steps.ts';

export type RunAction =
  | { do: 'stop'; step_key: string }
  | { do: 'begin'; step_key: string }
  | { do: 'place'; step_key: string; item: RunItem['row'] }
  | { do: 'finish' };

export interface RunPlan {
  actions: RunAction[];
  status: 'queued' | 'running' | 'manual_review';
}

export interface StepNeeds {
  key: string;
  needs: readonly string[];
}

/** Steps whose needs are done start, steps that wait for a failed one are stopped, others are unaffected. */
export function planRun(run: Pick<RunRow, 'status'>, steps: readonly StepNeeds[], parts: RunStepsByKey): RunPlan {
  const statuses = new Map<string, StepStatus>();
  for (const [key, part] of parts) statuses.set(key, stepStatus(run, part));
  const needsOf = new Map(steps.map(({ key, needs }) => [key, needs]));
  const ofNeed = (key: string): StepStatus => {
    const status = statuses.get(key) ?? 'stopped';
    return status === 'skipped' ? inheritedStatus((needsOf.get(key) ?? []).map(ofNeed)) : status;
  };
  const actions = steps.flatMap(({ key, needs }) => {
    const part = parts.get(key);
    if (!part) return [];
    if (part.row.state === 'begun') return pendingItemActions(key, part.items);
    return part.row.state === 'waiting' ? nextActions(key, needs.map(ofNeed)) : [];
  });
  if (actions.length === 0 && [...statuses.values()].every(isStepFinal)) actions.push({ do: 'finish' });
  return { actions, status: waitingStatus([...statuses.values()]) };
}

const pendingItemActions = (stepKey: string, items: readonly RunItem[]): RunAction[] =>
  items.flatMap(({ row }) =>
    row.generation_id === null && row.error === null ? [{ do: 'place', step_key: stepKey, item: row }] : [],
  );

/** Passes on the status of its needs for a step that is skipped from the start, so that dependents wait for those. */
const inheritedStatus = (ofNeeds: readonly StepStatus[]): StepStatus =>
  ofNeeds.find((status) => !isDone(status) && isStepFinal(status)) ??
  ofNeeds.find((status) => !isStepFinal(status)) ??
  'skipped';

function nextActions(stepKey: string, ofNeeds: readonly StepStatus[]): RunAction[] {
  if (ofNeeds.some((status) => isStepFinal(status) && !isDone(status))) return [{ do: 'stop', step_key: stepKey }];
  return ofNeeds.every(isDone) ? [{ do: 'begin', step_key: stepKey }] : [];
}

function waitingStatus(statuses: readonly StepStatus[]): RunPlan['status'] {
  if (statuses.some((status) => status === 'queued' || status === 'running')) return 'running';
  if (statuses.includes('manual_review')) return 'manual_review';
  return statuses.some(isStepFinal) ? 'running' : 'queued';
}
