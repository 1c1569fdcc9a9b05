import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderLockedError, lockFolder } from './lock-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('locks a folder for one process and releases it', async () => {
  const held = await lockFolder(folder);
  await expect(lockFolder(folder, 150)).rejects.toThrow(FolderLockedError);
  await expect(lockFolder(folder, 0)).rejects.toThrow(
    /^Another Emulsion process uses the data folder .*\. Stop it first\.$/,
  );
  held.release();
  (await lockFolder(folder, 0)).release();
});

it('waits for a process that is ending', async () => {
  const held = await lockFolder(folder);
  setTimeout(() => held.release(), 200);
  (await lockFolder(folder, 3_000)).release();
});

it('is released when its holder is killed', async () => {
  const script = `const { lockFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'lock-folder.ts'))});
    await lockFolder(${JSON.stringify(folder)}); process.stdout.write('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(lockFolder(folder, 0)).rejects.toThrow(FolderLockedError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  (await lockFolder(folder, 1_000)).release();
});
