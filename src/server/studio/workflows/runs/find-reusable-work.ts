import type { Db } from '#server/platform/db/db.ts';
import { and, inArray, isNotNull } from 'drizzle-orm';
import { assets } from '#server/platform/db/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { RemainingItems } from '#server/studio/workflows/estimate/estimate-workflow.ts';
import type { ReusedWork } from './insert-run.ts';
import { type RunItem, type RunStepsByKey, type RunRow, isDone, stepStatus } from './run-steps.ts';
import type { Affected } from './affected-steps.ts';

/** Finished steps and items. Deleted results and steps that changed inputs affect run again. @returns `remaining` */
export async function findReusableWork(
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
