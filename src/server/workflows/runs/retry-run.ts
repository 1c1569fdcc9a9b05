import { eq } from 'drizzle-orm';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { Caller } from '../../caller.ts';
import { localOrigin } from '../../config.ts';
import type { Tx } from '../../db/db.ts';
import { workflowRuns } from '../../db/workflow-schema.ts';
import { type Link, chainProblem } from '../../generations/chain.ts';
import { ApiError } from '../../http/api-error.ts';
import { type Answer, type KeyedRequest, earlierAnswer, once } from '../../idempotency/once.ts';
import { readDefinition } from '../definition/read-definition.ts';
import { estimateWorkflow, skippedOf } from '../estimate/estimate-workflow.ts';
import { presentBounds, sumOf } from '../estimate/present-estimate.ts';
import { assertFunds } from './assert-funds.ts';
import type { CreatingRuns } from './create-run.ts';
import { findRun, readRun } from './find-run.ts';
import { insertRun } from './insert-run.ts';
import { keptOf } from './kept-of.ts';

/**
 * Tries a failed or canceled run again, as a new one that keeps what succeeded and pays for the rest alone.
 * Decision: Workflow runs, Retry order
 * @throws {ApiError} 404 `workflow_run_not_found`; 409 by the chain's rules; 402; 422; 503
 */
export async function retryRun(
  deps: CreatingRuns,
  caller: Caller,
  id: string,
  keyed: KeyedRequest | undefined,
): Promise<Answer<WorkflowRun>> {
  const earlier = keyed && (await earlierAnswer<WorkflowRun>(deps, keyed));
  if (earlier) return earlier;
  const { run } = await findRun(deps, caller.organization_id, id);
  const { chain_id, input } = run;
  const problem = chainProblem('run', id, await readChain(deps.db, chain_id));
  if (problem) {
    // The same request may have started the new attempt since.
    const answer = keyed && (await earlierAnswer<WorkflowRun>(deps, keyed));
    if (answer) return answer;
    throw problem;
  }
  const read = await readDefinition(run.definition, localOrigin(deps.config), (templates) =>
    deps.expressions.readNames(templates, caller),
  );
  if (!read.ok) throw new ApiError('invalid_request', UNREADABLE, { status: 422 });
  const { workflow } = read;
  const { kept, left } = await keptOf(deps, run);
  const known = { input, is_complete: true };
  const estimates = await estimateWorkflow(deps, caller, workflow, known, { left });
  const bounds = sumOf(estimates);
  return once(deps, keyed, async (tx) => {
    await tx
      .select({ id: workflowRuns.id })
      .from(workflowRuns)
      .where(eq(workflowRuns.id, chain_id))
      .for('no key update');
    const problem = chainProblem('run', id, await readChain(tx, chain_id));
    if (problem) throw problem;
    await assertFunds(tx, caller, bounds.minimum_micro_usd, deps.clock.now());
    const retry = { of: id, chain_id, kept };
    const retried = await insertRun(deps, tx, caller, {
      workflow,
      input,
      estimate: presentBounds(bounds),
      skipped: skippedOf(estimates),
      retry,
    });
    return { status: 201, body: await readRun({ ...deps, db: tx }, caller.organization_id, retried) };
  });
}

const UNREADABLE =
  'This workflow does not fit the tasks of this service any more. Open its starter, change it and run it anew.';

const readChain = (db: Pick<Tx, 'select'>, chain_id: string): Promise<Link[]> =>
  db
    .select({ id: workflowRuns.id, status: workflowRuns.status, retry_of: workflowRuns.retry_of })
    .from(workflowRuns)
    .where(eq(workflowRuns.chain_id, chain_id));
