import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';
import type { GenerationLane } from '#server/db/schema.ts';
import { findEngine } from '#server/catalog/offering.ts';
import type { GenerationRow } from './present-generation.ts';
import { isUpstreamEngine } from './upstream/find-upstream-engine.ts';

export type GenerationJobDeps = Pick<Deps, 'queue' | 'offering'>;

/**
 * Sends the job that runs a generation when the transaction commits. A generation has at most one waiting job.
 * @param start_after earliest start
 */
export function sendGenerationJob(
  { queue, offering }: GenerationJobDeps,
  tx: Tx,
  { id, task, model, turn, created_by }: Pick<GenerationRow, 'id' | 'task' | 'model' | 'turn' | 'created_by'>,
  start_after?: Date,
): Promise<void> {
  const options = { key: id, turn, group: created_by, ...(start_after ? { start_after } : {}) };
  return queue.send(tx, selectLane({ offering }, task, model), { generation_id: id }, options);
}

/** Upstream work has its own lane, so that waiting for it does not block local work. */
export function selectLane({ offering }: Pick<Deps, 'offering'>, task: TaskId, model: ModelId | null): GenerationLane {
  const engine = findEngine(offering.current().engines, task, model);
  return engine && isUpstreamEngine(engine) ? 'generation.upstream' : 'generation.run';
}
