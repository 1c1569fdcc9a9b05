import { expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import type { Provider, ProviderTestResult } from '#contract/resources/provider.ts';
import type { Pricing } from '#contract/resources/catalog.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { createLocalImage } from './testing/create-local-image.ts';

const KEY = 'sk-test-0123456789abcdef';
const CHOICE = { task: 'image.create', model: 'imgmodel-a-2', provider_model: 'local-painter' } as const;

it('a process with ROLE=api connects, tests and prices; one with ROLE=worker runs the jobs', async (context) => {
  const databaseUrl = await (await sharedPostgres())?.createDatabase();
  if (databaseUrl === undefined) return context.skip();
  const upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
  upstream.upstream.outputs = [await createLocalImage()];
  const [api, worker] = await Promise.all([prepareServiceProcess(), prepareServiceProcess()]);
  const env = { SECRET_KEY: 'a secret of two processes', ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };
  try {
    await api.start(databaseUrl, { ...env, ROLE: 'api' });
    const credential = { provider: 'openai-compatible', key: KEY, address: upstream.base_url };
    expect(await api.post<ProviderTestResult>('/v1/providers/test', credential)).toMatchObject({ ok: true });
    const models = [{ ...CHOICE, markup_percent: 20 }];
    const { id } = await api.post<Provider>('/v1/providers', { ...credential, models });
    const { data: prices } = await api.get<Pricing>('/v1/pricing');
    expect(prices.find(({ model, task }) => model === CHOICE.model && task === CHOICE.task)?.unit_price_usd).toBe(
      '0.00',
    );

    const order = { task: CHOICE.task, model: CHOICE.model, input: { prompt: 'a pear' } };
    const created = await api.post<Generation>('/v1/generations', order);
    const read = () => api.get<Generation>(`/v1/generations/${created.id}`);
    expect((await read()).status).toBe('queued');

    await worker.start(databaseUrl, { ...env, ROLE: 'worker' });
    await waitFor('the generation to succeed', async () => (await read()).status === 'succeeded');
    const job = await api.get<UpstreamJob>(`/v1/generations/${created.id}/upstream`);
    expect(job.engine).toContain(id);
    expect(api.output() + worker.output()).not.toContain(KEY);
  } finally {
    await Promise.all([api.remove(), worker.remove(), upstream.close()]);
  }
});
