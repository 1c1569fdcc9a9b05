import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { Batch, BatchOrder } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { expectBalancedLedger } from '#server/studio/generations/testing/expect-balanced-ledger.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/app/testing/service-process.ts';

/** Reading a batch costs the database of the process as much as working on it, so it is not read all the time. */
const READ_INTERVAL_MS = 250;

let service: ServiceProcess | undefined;
afterEach(() => service?.remove());

it('completes a list after its process was killed, with one generation for each order', async () => {
  const process = (service = await prepareServiceProcess());
  await process.start(null);
  const prompts = Array.from({ length: 16 }, (_, index) => `a kite, number ${index}`);
  const orders = prompts.map((prompt) => ({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt } }));
  const { id } = await process.post<Batch>('/v1/batches', { mode: 'list', orders });
  const read = async () => {
    await delay(READ_INTERVAL_MS);
    return process.get<Batch>(`/v1/batches/${id}`);
  };
  await waitFor('some results', async () => (await read()).counts.succeeded >= 2);
  await process.stop('SIGKILL');
  await process.start(null);
  const done = await waitFor('the list to complete', async () => {
    const batch = await read();
    return batch.status === 'completed' && batch;
  });
  expect(done.counts).toMatchObject({ total: 16, succeeded: 16 });
  const { data } = await process.get<List<BatchOrder>>(`/v1/batches/${id}/orders?limit=200`);
  expect(data.map(({ generation }) => generation?.input['prompt'])).toEqual(prompts);
  const generations = await process.get<List<Generation>>('/v1/generations?limit=200');
  expect(generations.data).toHaveLength(16);
  await expectBalancedLedger(process, generations.data);
});
