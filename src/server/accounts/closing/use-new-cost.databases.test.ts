import { afterAll, beforeAll, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { billFile, runJob } from './testing/closing-fixture.ts';

const KEY = 'sk-test-0123456789abcdef';
const MODEL = { task: 'image.create', model: 'imgmodel-a-2' } as const;
const clock = createTestClock(new Date('2026-11-02T08:00:00.000Z'));
let upstream: FakeUpstreamServer;
beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
});
afterAll(() => upstream.close());

describeOnBothDatabases(
  'A new cost',
  () => ({
    engines: [createScriptedEngine()],
    clock,
    fetcher: { ...createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }), assertPublic: async () => undefined },
  }),
  (service) => {
    it('is expected of later jobs of the model, whenever their month is settled, and changes no price', async () => {
      const studio = await service.createOrganization('100.00');
      const connection = {
        provider: 'openai',
        key: KEY,
        address: upstream.base_url,
        models: [{ ...MODEL, markup_percent: 50 }],
      } as const;
      const provider = (await studio.call('connect_provider', { body: connection })).body;
      const pricesOf = async () =>
        (await studio.call('list_providers')).body.data.find(({ id }) => id === provider.id)?.models[0];
      const [before, connectionId] = [await pricesOf(), provider.id];
      const run = (at: string, requestId: string, costMicroUsd: bigint) =>
        runJob(service.get(), clock, studio, { at, requestId, costMicroUsd, connectionId });
      const settle = async (month: string, ...lines: string[]) => {
        const query = { provider_id: connectionId, month, filename: 'bill.csv' };
        await studio.call('create_provider_bill', { query, file: billFile(lines) });
        const choice = { month, provider_id: connectionId, kind: 'price_differs', action: 'use_new_cost' } as const;
        return (await studio.call('settle_findings', { body: { ...choice, model: MODEL.model } })).body;
      };
      await run('2026-11-03T08:00:00.000Z', 'a', 40_000n);
      await run('2026-11-04T08:00:00.000Z', 'b', 60_000n);
      await settle('2026-11', '2026-11-03,m,a,1,0.05', '2026-11-04,m,b,1,0.075');
      const after = await pricesOf();
      expect(after?.price_usd).toBe(before?.price_usd);
      expect(Number(after?.cost_usd)).toBeCloseTo(Number(before?.cost_usd) * 1.25, 6);

      // Before the new cost, and after it.
      clock.advance(new Date('2026-12-01T08:00:00.000Z').getTime() - clock.now().getTime());
      await run('2026-12-02T08:00:00.000Z', 'c', 50_000n);
      await settle('2026-12', '2026-12-02,m,c,1,0.06');
      const stored = await service
        .get()
        .deps.db.select()
        .from(providerConnections)
        .where(eq(providerConnections.id, connectionId));
      expect(stored[0]?.cost_ratios.map(({ ratio_nano }) => ratio_nano)).toEqual(['1250000000', '1500000000']);
    });
  },
);
