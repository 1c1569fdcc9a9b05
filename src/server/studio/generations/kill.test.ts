import { afterEach, beforeEach, expect, it } from 'vitest';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { prepareServiceProcess, type ServiceProcess } from '#server/app/testing/service-process.ts';
import { expectBalancedLedger } from './testing/expect-balanced-ledger.ts';
import { waitFor } from './testing/wait-for.ts';

const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };

let service: ServiceProcess;
beforeEach(async () => {
  service = await prepareServiceProcess();
});
afterEach(() => service.remove());

it('completes every order once after the process was killed', async () => {
  await service.start(null);
  const orders = Array.from({ length: 4 }, () => service.post<Generation>('/v1/generations', PICTURE));
  const ids = (await Promise.all(orders)).map(({ id }) => id);
  await service.stop('SIGKILL');
  await service.start(null);
  const list = () => service.get<{ data: Generation[] }>('/v1/generations').then(({ data }) => data);
  const ended = await waitFor('all to end', async () => {
    const all = await list();
    return all.some(({ status }) => isActive(status)) ? null : all;
  });
  expect(ended.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(ended.map(({ status, output }) => [status, output.assets.length])).toEqual(ids.map(() => ['succeeded', 1]));
  await expectBalancedLedger(service, ended);
});
