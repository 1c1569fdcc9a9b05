import { formatUsd } from '#contract/money.ts';
import type { Asset } from '#contract/resources/generation.ts';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import type { WorkflowOutlineStep } from '../../db/workflow-schema.ts';
import { linesOf, sumCosts } from './run-costs.ts';
import {
  type ItemPart,
  type RunParts,
  type RunRow,
  type StepPart,
  hasEnded,
  isOver,
  itemStatus,
  stepStatus,
} from './run-parts.ts';

/** All that a run is shown by. */
export interface RunView {
  run: Omit<RunRow, 'definition' | 'input_excerpt' | 'output_excerpt'> & {
    /** Of a list: `input` or `output` is an excerpt. */
    input_truncated?: boolean;
    output_truncated?: boolean;
  };
  key_name: string;
  canceler_name: string | null;
  retried_by: string | null;
  parts: RunParts;
  /** By the ids of generations. */
  costs: ReadonlyMap<string, bigint>;
  /** By the ids of generations; null where nothing is shown of what was made. */
  made: ReadonlyMap<string, Asset[]> | null;
  /** Its links made anew. */
  output: Record<string, unknown> | null;
}

/** A run as it goes over the wire. */
export function presentRun(view: RunView): WorkflowRun {
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
    steps,
    output: view.output,
    ...(run.output_truncated ? { output_truncated: true } : {}),
    usage: { amount_usd: sumCosts(costs), line_items: linesOf(costs, generations) },
    estimate: run.estimate,
    progress: progressOf(run, steps),
    error: run.error,
    retry_of: run.retry_of,
    retried_by: view.retried_by,
    cancel_reason: run.cancel_reason,
    canceled_by: run.canceled_by === null ? null : { id: run.canceled_by, name: view.canceler_name ?? '' },
    created_by: { id: run.created_by, name: view.key_name },
    created_at: run.created_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    updated_at: lastChange(run, generations),
    completed_at: run.completed_at?.toISOString() ?? null,
  };
}

function presentStep(view: RunView, definition: WorkflowOutlineStep, part: StepPart | undefined): WorkflowRunStep {
  const { key, name, task, model, needs, is_list } = definition;
  const status = part ? stepStatus(view.run, part) : 'waiting';
  const items = part?.items ?? [];
  const presented = items.map((item) => presentItem(view, item));
  const kept = items.length > 0 && items.every(({ row }) => row.kept);
  const [only] = presented;
  if (!isTaskId(task) || (model !== null && !isModelId(model))) throw new Error(`No such step: ${task} on ${model}.`);
  return {
    key,
    name,
    task,
    model,
    status,
    generation_id: is_list ? null : (only?.generation_id ?? null),
    needs,
    progress: hasEnded(status) ? (status === 'succeeded' ? 1 : null) : mean(presented.map(({ progress }) => progress)),
    amount_usd: sumCosts(new Map(items.map((item) => [item.row.generation_id ?? '', costOf(view, item)]))),
    error: part?.row.error ?? presented.find(({ error }) => error !== null)?.error ?? null,
    kept,
    started_at: earliest([...items.map(startOf), items.length === 0 ? (part?.row.begun_at ?? null) : null]),
    completed_at:
      hasEnded(status) && !kept ? latest([...items.map(endOf), part?.row.ended_at ?? endOfNothing(part)]) : null,
    items: is_list ? presented : null,
    ...(view.made ? { assets: items.flatMap((item) => assetsOf(view, item)) } : {}),
  };
}

type PresentedItem = NonNullable<WorkflowRunStep['items']>[number];

function presentItem(view: RunView, item: ItemPart): PresentedItem {
  const { row, generation } = item;
  return {
    index: row.index,
    label: row.label,
    status: itemStatus(view.run, item),
    generation_id: row.generation_id,
    progress: generation?.progress ?? null,
    amount_usd: formatUsd(costOf(view, item)),
    error: row.error ?? generation?.error ?? null,
    kept: row.kept,
    started_at: startOf(item)?.toISOString() ?? null,
    completed_at: endOf(item)?.toISOString() ?? null,
    ...(view.made ? { assets: assetsOf(view, item) } : {}),
  };
}

const costOf = ({ costs }: RunView, { row, generation }: ItemPart): bigint =>
  row.kept || !generation ? 0n : (costs.get(generation.id) ?? 0n);
const assetsOf = ({ made }: RunView, { generation }: ItemPart): Asset[] =>
  generation ? (made?.get(generation.id) ?? []) : [];

/** What was kept was made before the run began. */
const startOf = ({ row, generation }: ItemPart): Date | null => (row.kept ? null : (generation?.started_at ?? null));
const endOf = ({ row, generation }: ItemPart): Date | null =>
  row.kept ? null : (row.ended_at ?? generation?.completed_at ?? null);
/** A list without items ends as it begins. */
const endOfNothing = (part: StepPart | undefined): Date | null =>
  part?.items.length === 0 ? (part.row.begun_at ?? null) : null;

const lastChange = ({ updated_at }: RunView['run'], made: readonly { generation: { updated_at: Date } }[]): string =>
  new Date(
    Math.max(updated_at.getTime(), ...made.map(({ generation }) => generation.updated_at.getTime())),
  ).toISOString();

const times = (dates: readonly (Date | null)[]): number[] => dates.flatMap((date) => (date ? [date.getTime()] : []));
const earliest = (dates: readonly (Date | null)[]): string | null => {
  const known = times(dates);
  return known.length > 0 ? new Date(Math.min(...known)).toISOString() : null;
};
const latest = (dates: readonly (Date | null)[]): string | null => {
  const known = times(dates);
  return known.length > 0 ? new Date(Math.max(...known)).toISOString() : null;
};

function mean(parts: readonly (number | null)[]): number | null {
  if (parts.length === 0) return null;
  return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / parts.length;
}

function progressOf(run: RunView['run'], steps: readonly WorkflowRunStep[]): number | null {
  if (run.status === 'succeeded') return 1;
  if (isOver(run) || steps.length === 0) return null;
  return mean(steps.map(({ status, progress }) => (hasEnded(status) ? 1 : (progress ?? 0))));
}
