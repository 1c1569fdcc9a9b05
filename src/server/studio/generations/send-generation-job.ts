import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { GenerationLane } from '#server/platform/db/schema.ts';
import { findEngine } from '#server/models/catalog/offering.ts';
import type { GenerationRow } from './present-generation.ts';
import { isUpstreamEngine } from './upstream/find-upstream-engine.ts';

export type GenerationJobDeps = Pick<Deps, 'queue' | 'offering'>;

type QueuedGeneration = Pick<GenerationRow, 'id' | 'task' | 'model' | 'turn' | 'created_by'>;

/**
 * Sends the job that runs a generation when the transaction commits. A generation has at most one waiting job.
 * @param start_after earliest start
 */
export function sendGenerationJob(
  { queue, offering }: GenerationJobDeps,
  tx: Tx,
  row: QueuedGeneration,
  start_after?: Date,
): Promise<void> {
  const options = { ...jobOptions(row), ...(start_after ? { start_after } : {}) };
  return queue.send(tx, selectLane({ offering }, row.task, row.model), { generation_id: row.id }, options);
}

/** Builds the job of a new generation, which is stored with it. */
export const buildGenerationJob = (
  { queue }: Pick<GenerationJobDeps, 'queue'>,
  row: QueuedGeneration & Pick<GenerationRow, 'lane'>,
): Promise<string> => queue.build(row.lane, { generation_id: row.id }, jobOptions(row));

const jobOptions = ({ id, turn, created_by }: QueuedGeneration) => ({ key: id, turn, group: created_by });

/** Upstream work has its own lane, so that waiting for it does not block local work. */
export function selectLane({ offering }: Pick<Deps, 'offering'>, task: TaskId, model: ModelId | null): GenerationLane {
  const engine = findEngine(offering.current().engines, task, model);
  return engine && isUpstreamEngine(engine) ? 'generation.upstream' : 'generation.run';
}
