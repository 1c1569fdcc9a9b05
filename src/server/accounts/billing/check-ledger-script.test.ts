import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';

const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-ledger-'));
  const guide = await readFile(new URL('../../../../docs/ledger.md', import.meta.url), 'utf8');
  await writeFile(join(folder, 'check-ledger.mjs'), /```js\n(.*?)```/s.exec(guide)?.[1] ?? '');
});
afterAll(() => rm(folder, { recursive: true }));

it('the script in the guide verifies an export and names a changed entry', async () => {
  const { deps } = service.get();
  const studio = await service.createOrganization('1234.5');
  for (const description of [
    '=1+1',
    "'=1+1",
    "''",
    '-5',
    '＝x',
    '\u200b =x',
    "'\u00ad-x",
    '“ü”, "twice"\r\nand 😀',
    '-1,5',
  ])
    await studio.call('create_credit', { body: { amount_usd: '-0.345', description } });
  const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
  const { body: made } = await studio.call('create_generation', { body });
  const lease = await claimGeneration(deps, made.id);
  if (lease) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
  await studio.call('create_refund', { body: { generation_id: made.id, reason: '@Blurred', amount_usd: '0.01' } });
  await studio.call('create_generation', { body });

  const csv = await studio.callCsv('export_ledger');
  const check = async (text: string) => {
    await writeFile(join(folder, 'ledger.csv'), text);
    return run(process.execPath, ['check-ledger.mjs', studio.organization_id, 'ledger.csv'], { cwd: folder });
  };
  const { head } = (await studio.call('get_verification')).body;
  expect((await check(csv)).stdout).toBe(`${head?.seq} entries are right. Head ${head?.seq}:${head?.hash}\n`);
  await expect(check(csv.replace('Blurred', 'Sharp'))).rejects.toThrow(`Entry ${(head?.seq ?? 0) - 1} is wrong.`);
});
