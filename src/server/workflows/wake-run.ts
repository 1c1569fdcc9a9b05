import type { Tx } from '../db/db.ts';
import type { Deps } from '../deps.ts';

/** Has a run looked at once the transaction commits. */
export const wakeRun = ({ queue }: Pick<Deps, 'queue'>, tx: Tx, run_id: string): Promise<void> =>
  queue.send(tx, 'workflow.advance', { run_id });
