import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { isActive } from '#contract/generation-status.ts';
import type { Generation, GenerationCreate } from '#contract/resources/generation.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { all, create, funds, ledger, read, upload } from './support/call.ts';
import { makeClip, scratchFolder } from './support/clips.ts';
import { type Service, startService } from './support/service.ts';
import { expect, test } from './support/test.ts';

const KILLS = 2;
/** From one end to the next: how much there is to do depends on the machine. */
const END_WITHIN_MS = 60_000;

const picture: GenerationCreate = {
  task: 'image.create',
  model: 'imgmodel-b-2-lite',
  input: { prompt: 'A quarry lake' },
};
const clip: GenerationCreate = {
  task: 'video.create',
  model: 'vidmodel-c-2-mini',
  input: { prompt: 'Reeds in the wind', duration_seconds: 4, resolution: '480p' },
};

const micro = (amount_usd: string) => Math.round(Number(amount_usd) * 1_000_000);

/** Processes that work for a service: they name its folder, or stand in it. */
async function processesOf({ data_dir }: Service): Promise<string[]> {
  const found: string[] = [];
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const folder = await readlink(`/proc/${id}/cwd`).catch(() => '');
    if (command.includes(data_dir) || folder.startsWith(data_dir)) found.push(command.replaceAll('\0', ' '));
  }
  return found;
}

async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

async function judgeMoney(service: Service, generations: readonly Generation[]): Promise<void> {
  const entries = await ledger(service);
  const sum = entries.reduce((total, { amount_usd }) => total + micro(amount_usd), 0);
  const { available_usd, reserved_usd, balance_usd } = await funds(service);
  expect(reserved_usd).toBe('0.00');
  expect(micro(available_usd)).toBe(sum);
  expect(micro(balance_usd)).toBe(sum);
  for (const { id, status, usage } of generations) {
    const types = entries.filter(({ generation_id }) => generation_id === id).map(({ type }) => type);
    const paid = status === 'succeeded' ? ['RELEASE', 'RESERVE', 'SETTLE'] : ['RELEASE', 'RESERVE'];
    expect(types.toSorted(), `${id}, ${status}`).toEqual(
      micro(usage.amount_usd) === 0 && types.length === 0 ? [] : paid,
    );
  }
}

async function judgeFiles(service: Service, generations: readonly Generation[]): Promise<void> {
  const uploads = await all<Upload>(service, '/v1/uploads');
  const named = [...generations.flatMap(({ output }) => output.assets), ...uploads].map(({ id }) => id);
  await expect.poll(() => filesBelow(path.join(service.data_dir, 'scratch')), { timeout: END_WITHIN_MS }).toEqual([]);
  const stored = await filesBelow(path.join(service.data_dir, 'media'));
  const originals = stored.filter((file) => !file.includes('/derivatives/')).map((file) => path.parse(file).name);
  expect(originals.toSorted()).toEqual(named.toSorted());
  const copied = stored
    .filter((file) => file.includes('/derivatives/'))
    .map((file) => path.basename(path.dirname(file)));
  expect(copied.filter((id) => !named.includes(id))).toEqual([]);
  expect(await filesBelow(path.join(service.data_dir, 'tmp'))).toEqual([]);
}

test('killed in the middle of its work, the service ends all of it and leaves nothing behind', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc to find what is still running');
  const service = await startService();
  try {
    const source = await upload(service, makeClip(scratchFolder(), 'long.mp4', { seconds: 8, size: '1280x720' }));
    const trim = { task: 'video.trim', input: { video: { url: source.url }, start_seconds: 1, end_seconds: 7 } };
    const ids: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const orders = [trim, picture, clip, picture];
      for (const order of orders) ids.push((await create(service, order)).id);
      const running = async () => {
        const found = await Promise.all(ids.map((id) => read(service, id)));
        return found.some(({ task, status, progress }) => task !== 'image.create' && status === 'running' && progress);
      };
      await expect.poll(running, { intervals: [50], timeout: 30_000 }).toBeTruthy();
      await service.kill();
      await expect.poll(() => processesOf(service), 'media processes end with the service').toEqual([]);
      await service.restart();
    }
    const generations = () => Promise.all(ids.map((id) => read(service, id)));
    const left = async () => (await generations()).filter(({ status }) => isActive(status)).length;
    for (let active = await left(); active > 0; active = await left())
      await expect.poll(left, { timeout: END_WITHIN_MS }).toBeLessThan(active);
    const ended = await generations();
    expect(ended.map(({ status }) => status)).toEqual(ids.map(() => 'succeeded'));
    await judgeMoney(service, ended);
    await judgeFiles(service, ended);
    await expect.poll(() => processesOf(service)).toEqual([]);
  } finally {
    await service.stop();
  }
});
