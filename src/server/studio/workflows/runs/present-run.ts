import { formatUsd } from '#contract/money/money.ts';
import type { Creator } from '#contract/primitives.ts';
import type { Asset } from '#contract/resources/generation.ts';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import { isAddedModelId } from '#contract/ids.ts';
import type { WorkflowOutlineStep } from '#server/platform/db/schema/workflow-schema.ts';
import { costLineItems, sumCosts } from './run-costs.ts';
import {
  type RunItem,
  type RunStepsByKey,
  type RunRow,
  type RunStep,
  isStepFinal,
  isRunFinal,
  itemStatus,
  stepStatus,
} from './run-steps.ts';

export interface PresentableRun {
  run: Omit<RunRow, 'definition' | 'input_excerpt' | 'output_excerpt'> & {
    /** Only in lists: `input` or `output` is an excerpt. */
    input_truncated?: boolean;
    output_truncated?: boolean;
    /** Of the run of its starter before it. */
    previous_input?: Record<string, unknown> | null;
  };
  creatorOf: (keyId: string) => Creator;
  retried_by: string | null;
  parts: RunStepsByKey;
  costs: ReadonlyMap<string, bigint>;
  /** By generation id; null if results are not included. */
  assetsByGeneration: ReadonlyMap<string, Asset[]> | null;
  /** Of the last step that has one; undefined unless a list shows it. */
  preview?: Asset | null | undefined;
  output: Record<string, unknown> | null;
}

export function presentRun(view: PresentableRun): WorkflowRun {
  const { run, parts, costs } = view;
  const steps = run.outline.map((step) => presentStep(view, step, parts.get(step.key)));
  const names = new Map(run.outline.map(({ key, name }) => [key, name]));
  const generations = [...parts.values()].flatMap(({ row, items }) =>
    items.flatMap(({ generation, row: { kept } }) =>
      generation && !kept ? [{ step_name: names.get(row.key) ?? row.key, generation }] : [],
    ),
  );
  return {
    id: run.id,
    object: 'workflow_run',
    starter_slug: run.starter_slug,
    starter_name: run.starter_name,
    status: run.status,
    input: run.input,
    ...(run.input_truncated ? { input_truncated: true } : {}),
    ...(run.previous_input ? { changed_inputs: changedInputs(run.previous_input, run.input) } : {}),
    ...(view.preview === undefined ? {} : { preview: view.preview }),
    steps,
    output: view.output,
    ...(run.output_truncated ? { output_truncated: true } : {}),
    usage: { amount_usd: sumCosts(costs), line_items: costLineItems(costs, generations) },
    estimate: run.estimate,
    progress: runProgress(run, steps),
    error: run.error,
    retry_of: run.retry_of,
    retried_by: view.retried_by,
    metadata: run.metadata,
    cancel_reason: run.cancel_reason,
    canceled_by: run.canceled_by === null ? null : view.creatorOf(run.canceled_by),
    created_by: view.creatorOf(run.created_by),
    created_at: run.created_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    updated_at: lastUpdated(run, generations),
    completed_at: run.completed_at?.toISOString() ?? null,
  };
}

/** The fields whose values differ; a link to the same file is the same value. */
function changedInputs(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const toText = (value: unknown) =>
    JSON.stringify(value, (name, part: unknown) =>
      name === 'url' && typeof part === 'string' ? part.split('?')[0] : part,
    );
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => toText(before[name]) !== toText(after[name]),
  );
}

function presentStep(
  view: PresentableRun,
  definition: WorkflowOutlineStep,
  part: RunStep | undefined,
): WorkflowRunStep {
  const { key, name, task, model, needs, is_list } = definition;
  const status = part ? stepStatus(view.run, part) : 'waiting';
  const items = part?.items ?? [];
  const presented = items.map((item) => presentItem(view, item));
  const kept = items.length > 0 && items.every(({ row }) => row.kept);
  const [only] = presented;
  if (!isTaskId(task) || (model !== null && !isModelId(model) && !isAddedModelId(model)))
    throw new Error(`No such step: ${task} on ${model}.`);
  return {
    key,
    name,
    task,
    model,
    status,
    generation_id: is_list ? null : (only?.generation_id ?? null),
    needs,
    progress: isStepFinal(status)
      ? status === 'succeeded'
        ? 1
        : null
      : mean(presented.map(({ progress }) => progress)),
    amount_usd: sumCosts(new Map(items.map((item) => [item.row.generation_id ?? '', itemCost(view, item)]))),
    error: part?.row.error ?? presented.find(({ error }) => error !== null)?.error ?? null,
    kept,
    started_at: earliest([...items.map(itemStart), items.length === 0 ? (part?.row.begun_at ?? null) : null]),
    completed_at:
      isStepFinal(status) && !kept ? latest([...items.map(itemEnd), part?.row.ended_at ?? emptyListEnd(part)]) : null,
    items: is_list ? presented : null,
    ...(view.assetsByGeneration ? { assets: items.flatMap((item) => itemAssets(view, item)) } : {}),
  };
}

type PresentedItem = NonNullable<WorkflowRunStep['items']>[number];

function presentItem(view: PresentableRun, item: RunItem): PresentedItem {
  const { row, generation } = item;
  return {
    index: row.index,
    label: row.label,
    status: itemStatus(view.run, item),
    generation_id: row.generation_id,
    progress: generation?.progress ?? null,
    amount_usd: formatUsd(itemCost(view, item)),
    error: row.error ?? generation?.error ?? null,
    kept: row.kept,
    started_at: itemStart(item)?.toISOString() ?? null,
    completed_at: itemEnd(item)?.toISOString() ?? null,
    ...(view.assetsByGeneration ? { assets: itemAssets(view, item) } : {}),
  };
}

const itemCost = ({ costs }: PresentableRun, { row, generation }: RunItem): bigint =>
  row.kept || !generation ? 0n : (costs.get(generation.id) ?? 0n);
const itemAssets = ({ assetsByGeneration }: PresentableRun, { generation }: RunItem): Asset[] =>
  generation ? (assetsByGeneration?.get(generation.id) ?? []) : [];

/** A kept item was created before the run started. */
const itemStart = ({ row, generation }: RunItem): Date | null => (row.kept ? null : (generation?.started_at ?? null));
const itemEnd = ({ row, generation }: RunItem): Date | null =>
  row.kept ? null : (row.ended_at ?? generation?.completed_at ?? null);
/** A list without items completes when it starts. */
const emptyListEnd = (part: RunStep | undefined): Date | null =>
  part?.items.length === 0 ? (part.row.begun_at ?? null) : null;

const lastUpdated = (
  { updated_at }: PresentableRun['run'],
  items: readonly { generation: { updated_at: Date } }[],
): string =>
  new Date(
    Math.max(updated_at.getTime(), ...items.map(({ generation }) => generation.updated_at.getTime())),
  ).toISOString();

const toTimestamps = (dates: readonly (Date | null)[]): number[] =>
  dates.flatMap((date) => (date ? [date.getTime()] : []));
const earliest = (dates: readonly (Date | null)[]): string | null => {
  const known = toTimestamps(dates);
  return known.length > 0 ? new Date(Math.min(...known)).toISOString() : null;
};
const latest = (dates: readonly (Date | null)[]): string | null => {
  const known = toTimestamps(dates);
  return known.length > 0 ? new Date(Math.max(...known)).toISOString() : null;
};

function mean(parts: readonly (number | null)[]): number | null {
  if (parts.length === 0) return null;
  return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / parts.length;
}

function runProgress(run: PresentableRun['run'], steps: readonly WorkflowRunStep[]): number | null {
  if (run.status === 'succeeded') return 1;
  if (isRunFinal(run) || steps.length === 0) return null;
  return mean(steps.map(({ status, progress }) => (isStepFinal(status) ? 1 : (progress ?? 0))));
}
