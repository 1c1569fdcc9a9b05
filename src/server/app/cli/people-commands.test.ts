import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { peopleCommands } from './people-commands.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-cli-people-'));
  await unpackPreparedDatabase(join(folder, 'database'));
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('LOG_LEVEL', 'silent');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  await peopleCommands((text) => lines.push(text)).parseAsync(args, { from: 'user' });
  return lines.join('\n');
}

it('lists and invites people, changes their role and removes them', async () => {
  const [id = ''] = (await run('list')).split(' ');
  expect(id).toMatch(/^per_/);
  expect(await run('invite', '--email', 'anna@example.com', '--role', 'administrator')).toMatch(
    /^http:\/\/localhost:8787\/invitation#token=mgs_inv_[\w-]{43}$/,
  );
  await expect(run('invite', '--email', 'anna')).rejects.toThrow('Enter a mail address such as name@example.com');
  await expect(run('role', id, 'viewer')).rejects.toThrow('is the last administrator');
  await expect(run('remove', id)).rejects.toThrow('is the last administrator');
  await expect(run('remove', 'nobody@example.com')).rejects.toThrow('There is no person nobody@example.com.');
});
