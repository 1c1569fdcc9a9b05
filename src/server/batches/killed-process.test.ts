import { afterEach, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { Batch, BatchOrder } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { expectBalancedLedger } from '#server/generations/testing/expect-balanced-ledger.ts';
import { waitFor } from '#server/generations/testing/wait-for.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/testing/service-process.ts';

let service: ServiceProcess | undefined;
afterEach(() => service?.remove());

it(
  'completes a list after its process was killed, with one generation for each order',
  { timeout: 180_000 },
  async () => {
    const process = (service = await prepareServiceProcess());
    await process.start(null);
    const prompts = Array.from({ length: 24 }, (_, index) => `a kite, number ${index}`);
    const orders = prompts.map((prompt) => ({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt } }));
    const { id } = await process.post<Batch>('/v1/batches', { mode: 'list', orders });
    const read = () => process.get<Batch>(`/v1/batches/${id}`);
    await waitFor('some results', async () => (await read()).counts.succeeded >= 2);
    await process.stop('SIGKILL');
    await process.start(null);
    const done = await waitFor(
      'the list to complete',
      async () => {
        const batch = await read();
        return batch.status === 'completed' && batch;
      },
      120_000,
    );
    expect(done.counts).toMatchObject({ total: 24, succeeded: 24 });
    const { data } = await process.get<List<BatchOrder>>(`/v1/batches/${id}/orders?limit=200`);
    expect(data.map(({ generation }) => generation?.input['prompt'])).toEqual(prompts);
    const generations = await process.get<List<Generation>>('/v1/generations?limit=200');
    expect(generations.data).toHaveLength(24);
    await expectBalancedLedger(process, generations.data);
  },
);
