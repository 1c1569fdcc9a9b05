import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';
import type { GenerationLane } from '#server/db/schema.ts';
import { findEngine } from '#server/catalog/availability.ts';
import type { GenerationRow } from './present-generation.ts';
import { isUpstreamEngine } from './upstream/find-upstream-engine.ts';

/** What waking a worker takes: the lane depends on the engine. */
export type GenerationJobDeps = Pick<Deps, 'queue' | 'engines'>;

/**
 * Wakes a worker for a generation once the transaction commits; of several calls for one, one waits.
 * @param start_after not before then
 */
export function sendGenerationJob(
  { queue, engines }: GenerationJobDeps,
  tx: Tx,
  { id, task, model, turn, created_by }: Pick<GenerationRow, 'id' | 'task' | 'model' | 'turn' | 'created_by'>,
  start_after?: Date,
): Promise<void> {
  const options = { key: id, turn, group: created_by, ...(start_after ? { start_after } : {}) };
  return queue.send(tx, selectLane({ engines }, task, model), { generation_id: id }, options);
}

/** What another service does has a lane of its own, so that waiting for it keeps nobody from working here. */
export function selectLane({ engines }: Pick<Deps, 'engines'>, task: TaskId, model: ModelId | null): GenerationLane {
  const engine = findEngine(engines, task, model);
  return engine && isUpstreamEngine(engine) ? 'generation.upstream' : 'generation.run';
}
