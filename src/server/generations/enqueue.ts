import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../db/db.ts';
import { engineFor } from './availability.ts';
import { isUpstream } from './upstream/upstream-engine-of.ts';

/** Part of what waking a worker takes: which lane depends on the engine. */
export type Enqueuing = Pick<Deps, 'queue' | 'engines'>;

/**
 * Wakes a worker for a generation once the transaction commits; of several calls for one, one waits. What another
 * service does has a lane of its own, so that waiting for it keeps nobody from working here.
 * @param start_after not before then
 */
export function enqueue(
  { queue, engines }: Enqueuing,
  tx: Tx,
  { id, task, model }: { id: string; task: TaskId; model: ModelId | null },
  start_after?: Date,
): Promise<void> {
  const engine = engineFor(engines, task, model);
  const lane = engine && isUpstream(engine) ? 'generation.upstream' : 'generation.run';
  return queue.send(tx, lane, { generation_id: id }, { key: id, ...(start_after ? { start_after } : {}) });
}
