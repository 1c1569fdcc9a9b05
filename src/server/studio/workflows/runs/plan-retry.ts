import type { Deps } from '#server/platform/deps.ts';
import { isDeepStrictEqual } from 'node:util';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parseDefinition } from '#server/studio/workflows/definition/parse-definition.ts';
import { storedModels } from '#server/studio/workflows/definition/step-models.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';
import {
  type StepEstimate,
  estimateWorkflow,
  type RemainingItems,
} from '#server/studio/workflows/estimate/estimate-workflow.ts';
import { type InputChange, affectedSteps, type Affected } from './affected-steps.ts';
import { validateRunInput } from './create-run.ts';
import type { ReusedWork } from './insert-run.ts';
import {
  type RunRow,
  type RunStep,
  readRunSteps,
  type RunItem,
  type RunStepsByKey,
  isDone,
  stepStatus,
} from './run-steps.ts';
import type { Db } from '#server/platform/db/db.ts';
import { and, inArray, isNotNull } from 'drizzle-orm';
import { assets } from '#server/platform/db/schema/schema.ts';

export interface RetryPlan extends InputChange {
  workflow: Workflow;
  kept: ReusedWork;
  keptKeys: ReadonlySet<string>;
  estimates: StepEstimate[];
}

/**
 * @param inputs values that replace those of the run, by field
 * @throws {ApiError} 422 `invalid_request`, naming the field below `inputs`; 429; 503
 */
export async function planRetry(
  deps: Deps,
  caller: Caller,
  run: RunRow,
  inputs: Readonly<Record<string, unknown>> | undefined,
): Promise<RetryPlan> {
  const read = await parseDefinition(
    run.definition,
    ownMediaOrigin(deps.config),
    (templates) => deps.expressions.readNames(templates, caller),
    storedModels(deps.offering.current(), run.organization_id),
  );
  if (!read.ok) throw new ApiError('invalid_request', UNREADABLE, { status: 422 });
  const { workflow } = read;
  const plan = async (): Promise<RetryPlan> => {
    const change = changeInput(deps, workflow, run.input, inputs ?? {});
    const parts = (await readRunSteps(deps, [run.id])).get(run.id) ?? new Map<string, RunStep>();
    const affected = await affectedSteps(deps, caller, workflow, { run, parts }, change);
    const { kept, remaining } = await findReusableWork(deps, run, parts, affected);
    const known = { input: change.input, is_complete: true };
    const estimates = await estimateWorkflow(deps, caller, workflow, known, { remaining });
    for (const { step, maximum_count } of estimates) if (maximum_count > 0) assertInScope(caller, step);
    const keptSteps = workflow.steps.filter(
      (step) => remaining(step)?.indexes.length === 0 && parts.get(step.key)?.items.length,
    );
    return { ...change, workflow, kept, keptKeys: new Set(keptSteps.map(({ key }) => key)), estimates };
  };
  return inputs ? belowInputs(plan) : plan();
}

function changeInput(
  deps: Deps,
  workflow: Workflow,
  before: RunRow['input'],
  inputs: Readonly<Record<string, unknown>>,
): InputChange {
  const names = Object.keys(inputs);
  // The run's own input was validated when it started, and stays as it was.
  if (names.length === 0) return { input: before, changed: new Set() };
  const input = validateRunInput(deps, workflow, { ...before, ...inputs });
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], input[name]));
  return { input, changed: new Set(changed) };
}

/** Runs a check of a run's input and names its fields as the body of a retry does: below `inputs`. */
export async function belowInputs<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error;
    const details = error.details.map(({ path, message }) => ({
      path: path.replace(/^input(?=\.|$)/, 'inputs'),
      message,
    }));
    throw new ApiError(error.code, error.message, { status: error.status, details, cause: error });
  }
}

const UNREADABLE = 'This workflow no longer matches the tasks of this service. Edit it and start a new run.';

/** Finished steps and items. Deleted results and steps that changed inputs affect run again. @returns `remaining` */
async function findReusableWork(
  deps: Deps,
  run: Pick<RunRow, 'status' | 'definition'>,
  parts: RunStepsByKey,
  affected: ReadonlyMap<string, Affected>,
): Promise<{ kept: ReusedWork; remaining: RemainingItems }> {
  const removed = await findRemoved(
    deps.db,
    [...parts.values()].flatMap(({ items }) => items),
  );
  const isKept = ({ row, generation }: RunItem) => {
    const changed = affected.get(row.step_key);
    if (changed === 'all' || changed?.has(row.index)) return false;
    return generation?.status === 'succeeded' && !removed.has(generation.id);
  };
  const steps: ReusedWork['steps'][number][] = [];
  const items: ReusedWork['items'][number][] = [];
  const remaining = new Map<string, { indexes: number[] }>();
  for (const { key, for_each } of run.definition.steps) {
    const part = parts.get(key);
    if (!part || affected.get(key) === 'all') continue;
    const status = stepStatus(run, part);
    const isBegunList = for_each != null && part.row.state === 'begun';
    const isAllKept = isDone(status) && part.items.every(isKept);
    if (!isAllKept && !isBegunList) continue;
    const { run_id: _run_id, ...row } = part.row;
    steps.push(row);
    for (const item of part.items) items.push(copyItem(item, isKept(item)));
    remaining.set(key, { indexes: part.items.filter((item) => !isKept(item)).map(({ row }) => row.index) });
  }
  return { kept: { steps, items }, remaining: ({ key }) => remaining.get(key) };
}

function copyItem({ row }: RunItem, kept: boolean): ReusedWork['items'][number] {
  const { step_key, index, item, label, generation_id } = row;
  return { step_key, index, item, label, generation_id: kept ? generation_id : null, kept };
}

async function findRemoved(db: Db, items: readonly RunItem[]): Promise<Set<string>> {
  const ids = items.flatMap(({ generation }) => (generation ? [generation.id] : []));
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: assets.generation_id })
    .from(assets)
    .where(and(inArray(assets.generation_id, ids), isNotNull(assets.removed_at)));
  return new Set(rows.map(({ id }) => id));
}
