import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EngineJob } from '#server/models/engine/engine.ts';

/** Runs with a directory for files that only the job needs, which is removed afterwards. @throws the signal's reason */
export async function withTempDirectory<T>(
  { workDir, signal }: Pick<EngineJob, 'workDir' | 'signal'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const folder = path.join(workDir, 'scratch');
  try {
    await mkdir(folder, { recursive: true });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
