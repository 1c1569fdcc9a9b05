import { asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { StepStatus } from '#contract/statuses.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { workflowItems, type workflowRuns, workflowSteps } from '#server/platform/db/schema/workflow-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';

export type RunRow = typeof workflowRuns.$inferSelect;
type StepRow = typeof workflowSteps.$inferSelect;
export type ItemRow = typeof workflowItems.$inferSelect;

export interface RunItem {
  row: ItemRow;
  generation: GenerationRow | null;
}

export interface RunStep {
  row: StepRow;
  items: RunItem[];
}

export type RunStepsByKey = ReadonlyMap<string, RunStep>;

const columns = { row: getTableColumns(workflowItems), generation: getTableColumns(generations) };
/** Without inputs, items and outputs, which a caller can make as large as a body. */
const shownColumns = {
  row: { ...columns.row, item: sql<null>`null` },
  generation: {
    ...columns.generation,
    input: sql<Record<string, unknown>>`'{}'::jsonb`,
    input_excerpt: sql<null>`null`,
    output_data: sql<null>`null`,
    metadata: sql<null>`null`,
  },
};

/** @param what `shown` leaves out inputs, items and output data, which no view of a run shows */
export async function readRunSteps(
  { db }: { db: Pick<Deps['db'], 'select'> },
  runIds: readonly string[],
  what: 'all' | 'shown' = 'all',
): Promise<Map<string, RunStepsByKey>> {
  const parts = new Map<string, Map<string, RunStep>>(runIds.map((id) => [id, new Map()]));
  if (runIds.length === 0) return parts;
  const ids = [...runIds];
  const steps = await db.select().from(workflowSteps).where(inArray(workflowSteps.run_id, ids));
  const items = await db
    .select(what === 'all' ? columns : shownColumns)
    .from(workflowItems)
    .leftJoin(generations, eq(generations.id, workflowItems.generation_id))
    .where(inArray(workflowItems.run_id, ids))
    .orderBy(asc(workflowItems.run_id), asc(workflowItems.step_key), asc(workflowItems.index));
  for (const row of steps) parts.get(row.run_id)?.set(row.key, { row, items: [] });
  for (const item of items) parts.get(item.row.run_id)?.get(item.row.step_key)?.items.push(item);
  return parts;
}

const RUN_IS_FINAL = {
  queued: false,
  running: false,
  manual_review: false,
  succeeded: true,
  failed: true,
  canceled: true,
} as const;

export const isList = ({ definition }: Pick<RunRow, 'definition'>, stepKey: string): boolean =>
  definition.steps.some(({ key, for_each }) => key === stepKey && for_each != null);

/** Whether a run has a final status. A run in manual review has not. */
export const isRunFinal = ({ status }: Pick<RunRow, 'status'>): boolean => RUN_IS_FINAL[status];

export function itemStatus(run: Pick<RunRow, 'status'>, { row, generation }: RunItem): StepStatus {
  if (generation) return generation.status;
  if (row.error) return 'failed';
  return run.status === 'canceled' ? 'canceled' : 'waiting';
}

export function stepStatus(run: Pick<RunRow, 'status'>, { row, items }: RunStep): StepStatus {
  if (row.state === 'waiting') return run.status === 'canceled' ? 'canceled' : 'waiting';
  if (row.state !== 'begun') return row.state;
  const statuses = new Set(items.map((item) => itemStatus(run, item)));
  if (statuses.has('running')) return 'running';
  const isOpen = statuses.has('queued') || statuses.has('waiting');
  if (isOpen && SETTLED_STATUSES.some((status) => statuses.has(status))) return 'running';
  return WORST_FIRST.find((status) => statuses.has(status)) ?? 'succeeded';
}

const SETTLED_STATUSES = ['succeeded', 'failed', 'canceled', 'manual_review'] as const;
const WORST_FIRST = ['queued', 'waiting', 'manual_review', 'failed', 'canceled'] as const;

const STEP_IS_FINAL = {
  waiting: false,
  queued: false,
  running: false,
  manual_review: false,
  succeeded: true,
  skipped: true,
  failed: true,
  canceled: true,
  stopped: true,
} as const satisfies Record<StepStatus, boolean>;

export const isStepFinal = (status: StepStatus): boolean => STEP_IS_FINAL[status];
export const isDone = (status: StepStatus): boolean => status === 'succeeded' || status === 'skipped';
