import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { GenerationLane } from '#server/platform/db/schema/schema.ts';
import { findEngine } from '#server/models/catalog/offering.ts';
import type { GenerationRow } from './read/generation-row.ts';
import { isUpstreamEngine } from './upstream/find-upstream-engine.ts';

type QueuedGeneration = Pick<GenerationRow, 'id' | 'task' | 'model' | 'turn' | 'created_by'>;

/**
 * Sends the job that runs a generation when the transaction commits. A generation has at most one waiting job.
 * @param startAfter earliest start
 */
export function sendGenerationJob(deps: Deps, tx: Tx, row: QueuedGeneration, startAfter?: Date): Promise<void> {
  const { id, task, model, turn, created_by } = row;
  const options = { key: id, turn, group: created_by, ...(startAfter ? { startAfter } : {}) };
  return deps.queue.send(tx, selectLane(deps, task, model), { generation_id: id }, options);
}

/** Upstream work has its own lane, so that waiting for it does not block local work. */
export function selectLane({ offering }: Deps, task: TaskId, model: AnyModelId | null): GenerationLane {
  const engine = findEngine(offering.current().engines, task, model);
  return engine && isUpstreamEngine(engine) ? 'generation.upstream' : 'generation.run';
}
