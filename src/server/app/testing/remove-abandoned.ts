import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removes data of PostgreSQL servers whose process was killed, named as by `startPostgres`. */
export async function teardown(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^emulsion-postgres-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // The server may still be writing.
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
