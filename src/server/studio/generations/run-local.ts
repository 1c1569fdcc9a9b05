import type { Deps } from '#server/platform/deps.ts';
import type { LocalEngine } from '#server/models/engine/engine.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { RunError } from './failure.ts';
import type { ActiveLease, Lease } from './generation-lease.ts';
import { toMediaLengths } from './validate-media.ts';
import { nameReferences } from './name-references.ts';
import { resolveReferences } from './resolve-references.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { completeResult } from './results/complete-result.ts';
import { hasFreeSpace } from './results/result-spool.ts';

const RUN_TIMEOUT_MS = 60 * 60_000;

/**
 * Runs a generation on a local engine, stores its outputs and settles it.
 * @throws {RunError} `timeout`; {StorageError} `unavailable` if the disk is nearly full; any error of the engine
 */
export async function runLocal(
  deps: Deps,
  lease: Lease,
  active_lease: ActiveLease,
  engine: LocalEngine,
  { shutdown, deadline_ms = RUN_TIMEOUT_MS }: { shutdown: AbortSignal; deadline_ms?: number },
): Promise<void> {
  await assertDiskSpace(deps.config);
  const deadline = AbortSignal.timeout(deadline_ms);
  const signal = AbortSignal.any([active_lease.lost, shutdown, deadline]);
  try {
    await withTempDir(deps.config.media_dir, (work_dir) =>
      runEngine(deps, lease, active_lease, engine, work_dir, signal),
    );
  } catch (error) {
    if (!deadline.aborted || shutdown.aborted) throw error;
    throw new RunError('timeout', 'The generation took too long and was stopped. Try again.', {
      retryable: true,
      cause: error,
    });
  }
}

async function assertDiskSpace(config: Deps['config']): Promise<void> {
  if (!(await hasFreeSpace(config).catch(throwUnavailable)))
    throwUnavailable(new Error(`The disk of ${config.media_dir} is nearly full.`));
}

async function runEngine(
  deps: Deps,
  lease: Lease,
  active_lease: ActiveLease,
  engine: LocalEngine,
  work_dir: string,
  signal: AbortSignal,
): Promise<void> {
  const { row } = lease;
  const references = await resolveReferences(deps, row, work_dir, signal);
  const { id: generation_id, task, model } = row;
  const input = nameReferences(row, references);
  const job = { generation_id, task, model, input, references, work_dir, signal, onProgress: active_lease.setProgress };
  const result = await engine.run(job);
  const lengths = toMediaLengths(new Map(references.map(({ path, media }) => [path, media])));
  await completeResult({ deps, lease, active_lease, stop: signal }, { ...result, lengths, upstream: null });
}
