import type { Deps } from '../deps.ts';
import { isUnreachable } from '../db/is-unreachable.ts';
import { engineFor } from './availability.ts';
import { type Failure, RunError, UNKNOWN_FAILURE, knownFailure } from './failure.ts';
import { type HeldLease, type Lease, claim, handBack, holdLease } from './lease.ts';
import { type Resolving, resolveReferences } from './resolve-references.ts';
import { withScratchFolder } from './scratch.ts';
import { settleFailed, settleSucceeded } from './settle.ts';
import { type AssetDraft, discardOutputs, storeOutputs } from './store-outputs.ts';

export type Running = Resolving & Pick<Deps, 'engines' | 'log' | 'prices' | 'queue'>;

/** How often a generation is begun before it counts as the cause of what interrupts it. */
const MAX_ATTEMPTS = 3;
const DEADLINE_MS = 60 * 60_000;

/**
 * Runs a generation to its end, or to the end of this process. What interrupts it leaves no outcome: it is run again.
 * Design: The life of a generation
 * @param options.shutdown aborted when this process is to end; the generation is then handed back
 * @throws where the database can't be reached: the lease runs out, and the generation is run again; the shutdown's
 *   reason where nothing was begun
 */
export async function runGeneration(
  deps: Running,
  generation_id: string,
  { shutdown, deadline_ms = DEADLINE_MS }: { shutdown: AbortSignal; deadline_ms?: number },
): Promise<void> {
  shutdown.throwIfAborted();
  const lease = await claim(deps, generation_id);
  if (!lease) return;
  await using held = holdLease(deps, lease);
  const deadline = AbortSignal.timeout(deadline_ms);
  try {
    await work(deps, lease, held, AbortSignal.any([held.lost, shutdown, deadline]));
  } catch (error) {
    if (held.lost.aborted) return;
    // Another server that can't be reached is a known failure; this is about the database.
    if (!knownFailure(error) && isUnreachable(error)) throw error;
    if (shutdown.aborted) return handBack(deps, lease);
    await settleFailed(deps, lease, deadline.aborted ? TOO_LONG : failureOf(deps, lease, error));
  }
}

const TOO_LONG: Failure = { code: 'timeout', message: 'This took too long and was stopped.', retryable: true };

function failureOf({ log }: Pick<Deps, 'log'>, { row }: Lease, error: unknown): Failure {
  const known = knownFailure(error);
  const context = { err: error, generation_id: row.id, task: row.task, model: row.model };
  if (known) log.info(context, 'generation failed');
  else log.error(context, 'generation failed by a fault of ours');
  return known ?? UNKNOWN_FAILURE;
}

async function work(deps: Running, lease: Lease, held: HeldLease, signal: AbortSignal): Promise<void> {
  const { row } = lease;
  if (row.attempts > MAX_ATTEMPTS) {
    throw new RunError('interrupted', `This was begun ${MAX_ATTEMPTS} times and broke off each time.`, {
      retryable: true,
    });
  }
  const engine = engineFor(deps.engines, row.task, row.model);
  if (!engine || 'adapter' in engine)
    throw new RunError('model_unavailable', 'What was to do this is switched off now.', { retryable: true });
  await withScratchFolder(deps.config.data_dir, async (work_dir) => {
    const references = await resolveReferences(deps, row, work_dir, signal);
    const result = await engine.run({
      generation_id: row.id,
      task: row.task,
      model: row.model,
      input: row.input,
      references,
      work_dir,
      signal,
      onProgress: held.setProgress,
    });
    const outputs: AssetDraft[] = [];
    let named = false;
    try {
      await storeOutputs(deps, row, result, outputs, signal);
      // From here on the files may be named by a row, even where the answer to the commit is lost: the sweeper judges.
      named = true;
      named = await settleSucceeded(deps, lease, { outputs, data: result.data, references, used: result.used });
    } finally {
      if (!named) await discardOutputs(deps, outputs);
    }
  });
}
