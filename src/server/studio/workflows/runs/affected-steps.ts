import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { ParsedTemplate, WorkflowStep, Workflow } from '#server/studio/workflows/definition/workflow.ts';
import { estimateBudget } from '#server/studio/workflows/estimate/estimate-workflow.ts';
import type { BudgetedUsage } from '#server/studio/workflows/estimate/known-input.ts';
import type { Scope } from '#server/studio/workflows/expression/template.ts';
import { toList, toMaxItems, isTrue } from '#server/studio/workflows/expression/values.ts';
import type { RunStepsByKey, RunRow } from './run-steps.ts';
import { readStepOutputs } from './step-outputs.ts';

/** What has to run again: the whole step, or items of its list by index. */
export type Affected = 'all' | ReadonlySet<number>;

export interface InputChange {
  input: Readonly<Record<string, unknown>>;
  changed: ReadonlySet<string>;
}

/** Steps whose requests differ once inputs change, and those that use their results; `needs` alone does not count. */
export async function affectedSteps(
  deps: Deps,
  { key_id }: Pick<Caller, 'key_id'>,
  workflow: Workflow,
  { run, parts }: { run: RunRow; parts: RunStepsByKey },
  change: InputChange,
): Promise<Map<string, Affected>> {
  const affected = new Map<string, Affected>();
  if (change.changed.size === 0) return affected;
  const usage = { key_id, budget: estimateBudget() };
  const stepsLeft = new Map(workflow.steps.map((step) => [step.key, step]));
  const visit = async (step: WorkflowStep): Promise<void> => {
    stepsLeft.delete(step.key);
    const sources = sourcesOf(step);
    for (const key of sources) {
      const source = stepsLeft.get(key);
      if (source) await visit(source);
    }
    const comparison = { deps, usage, step, run, parts, change };
    const affectedItems = sources.some((key) => affected.has(key)) ? 'all' : await compareStep(comparison);
    if (affectedItems) affected.set(step.key, affectedItems);
  };
  for (const step of workflow.steps) if (stepsLeft.has(step.key)) await visit(step);
  return affected;
}

const partsOf = ({ when, for_each, max_items, input }: WorkflowStep): ParsedTemplate[] =>
  [when, for_each, typeof max_items === 'number' ? null : max_items, ...Object.values(input)].filter(
    (part) => part !== null,
  );

function sourcesOf(step: WorkflowStep): string[] {
  const names = partsOf(step).map((part) => part.names);
  return names.some(({ allSteps }) => allSteps)
    ? [...step.ancestors]
    : [...new Set(names.flatMap(({ steps }) => [...steps]))];
}

interface Comparison {
  deps: Deps;
  usage: BudgetedUsage;
  step: WorkflowStep;
  run: RunRow;
  parts: RunStepsByKey;
  change: InputChange;
}

async function compareStep(comparison: Comparison): Promise<Affected | null> {
  const { deps, step, run, parts, change } = comparison;
  const isTouched = ({ names }: ParsedTemplate) =>
    names.allInput || [...names.input].some((name) => change.changed.has(name));
  const part = parts.get(step.key);
  if (!partsOf(step).some(isTouched)) return null;
  if (part?.row.state !== 'begun' && part?.row.state !== 'skipped') return 'all';
  const steps = await readStepOutputs(deps, run, parts, step.ancestors);
  const differ = async (
    touched: readonly ParsedTemplate[],
    read: (values: unknown[]) => unknown,
    item: object = {},
  ) => {
    if (!touched.some(isTouched)) return false;
    const before = await fill(comparison, touched, { input: run.input, steps, ...item });
    const after = await fill(comparison, touched, { input: change.input, steps, ...item });
    return !before || !after || !isDeepStrictEqual(read(before), read(after));
  };
  if (step.when && (await differ([step.when], ([value]) => isTrue(value)))) return 'all';
  if (part.row.state === 'skipped') return null;
  if (step.for_each && (await differ(listParts(step.for_each, step), readItems(step)))) return 'all';
  const input = Object.values(step.input).filter(isTouched);
  const ofItem = input.filter(({ names }) => names.item);
  const ofAll = input.filter(({ names }) => !names.item);
  if (await differ(ofAll, (values) => values)) return 'all';
  const indexes = new Set<number>();
  for (const { row } of ofItem.length > 0 ? part.items : [])
    if (await differ(ofItem, (values) => values, { item: row.item, index: row.index })) indexes.add(row.index);
  return indexes.size > 0 ? indexes : null;
}

const listParts = (forEach: ParsedTemplate, { max_items }: WorkflowStep): ParsedTemplate[] =>
  typeof max_items === 'number' ? [forEach] : [forEach, max_items];

const readItems =
  ({ max_items }: WorkflowStep) =>
  ([list, count]: unknown[]): unknown[] =>
    toList(list).slice(0, typeof max_items === 'number' ? max_items : (toMaxItems(count) ?? 0));

async function fill(
  { deps, usage }: Comparison,
  parts: readonly ParsedTemplate[],
  scope: Scope,
): Promise<unknown[] | null> {
  const filled = await deps.expressions.evaluate(
    parts.map(({ template }) => template),
    scope,
    usage,
  );
  return filled.every((result) => result.ok) ? filled.map(({ value }) => value) : null;
}
