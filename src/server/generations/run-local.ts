import { statfs } from 'node:fs/promises';
import type { Deps } from '#server/deps.ts';
import type { LocalEngine } from '#server/engines/engine.ts';
import { throwUnavailable } from '#server/storage/storage.ts';
import { RunError } from './failure.ts';
import type { ActiveLease, Lease } from './generation-lease.ts';
import { toMediaLengths } from './validate-media.ts';
import { nameReferences } from './name-references.ts';
import { type ResolveReferencesDeps, resolveReferences } from './resolve-references.ts';
import { withTempDir } from '#server/assets/temp-dir.ts';
import { settleSucceeded } from './settle-generation.ts';
import { type AssetDraft, discardOutputs, storeOutputs } from './store-outputs.ts';

const RUN_TIMEOUT_MS = 60 * 60_000;
/** Generations also leave this share of `MIN_FREE_BYTES` free, because the database may be on the same disk. */
const FREE_SPACE_SHARE = 1 / 4;

/**
 * Runs a generation on a local engine, stores its outputs and settles it.
 * @throws {RunError} `timeout`; {StorageError} `unavailable` if the disk is nearly full; any error of the engine
 */
export async function runLocal(
  deps: ResolveReferencesDeps & Pick<Deps, 'offering' | 'queue' | 'transition_listeners'>,
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

async function assertDiskSpace({ media_dir, min_free_bytes }: Deps['config']): Promise<void> {
  const { bavail, bsize } = await statfs(media_dir).catch(throwUnavailable);
  if (bavail * bsize < min_free_bytes * FREE_SPACE_SHARE)
    throwUnavailable(new Error(`The disk of ${media_dir} is nearly full.`));
}

async function runEngine(
  deps: ResolveReferencesDeps & Pick<Deps, 'offering' | 'queue' | 'transition_listeners'>,
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
  const outputs: AssetDraft[] = [];
  let may_be_referenced = false;
  try {
    await storeOutputs(deps, row, result, outputs, signal);
    // If the commit's response is lost, a row may reference the files, so only the sweeper may delete them.
    may_be_referenced = true;
    const lengths = toMediaLengths(new Map(references.map(({ path, media }) => [path, media])));
    may_be_referenced = await settleSucceeded(deps, lease, { outputs, data: result.data, used: result.used, lengths });
  } finally {
    if (!may_be_referenced) await discardOutputs(deps, outputs);
  }
}
