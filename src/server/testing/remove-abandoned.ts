import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** After all tests: removes what a PostgreSQL left whose process was killed, as `startPostgres` names it. */
export async function teardown(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^emulsion-postgres-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // It may be writing its last.
    await rm(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
