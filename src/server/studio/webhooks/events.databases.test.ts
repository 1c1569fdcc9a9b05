import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { webhookAttempts, webhookDeliveries, webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import { transitionGeneration } from '#server/studio/generations/transition-generation.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { purgeEvents } from './purge-events.ts';
import { createDelivererFixture } from './testing/deliverer-fixture.ts';

const DAY_MS = 86_400_000;
const URL = 'https://93.184.216.34/hooks';

describeOnBothDatabases(
  'events',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const deliverer = createDelivererFixture(service);
    let organization: TestOrganization;
    beforeEach(async () => {
      organization = await service.createOrganization('1');
    });

    it('are recorded in the transaction of each subscribed status change, review decisions included', async () => {
      const { deps } = service.get();
      const { id: endpoint_id } = await deliverer.register(organization, URL);
      const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
      const { id } = (await organization.call('create_generation', { body })).body;
      await deps.db.update(generations).set({ status: 'running' }).where(eq(generations.id, id));
      const move = (to: 'manual_review' | 'failed') =>
        deps.db.transaction((tx) => transitionGeneration(deps, tx, id, to, { updated_at: deps.clock.now() }));
      const undone = deps.db.transaction(async (tx) => {
        await transitionGeneration(deps, tx, id, 'manual_review', { updated_at: deps.clock.now() });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await deliverer.listDeliveries(organization, endpoint_id)).toEqual([]);
      await move('manual_review');
      await move('failed');
      // An illegal transition records no event.
      expect(await move('failed')).toBeNull();
      const events = (await deliverer.listDeliveries(organization, endpoint_id)).map(({ event_type }) => event_type);
      expect(events).toEqual(['generation.failed', 'generation.manual_review']);
      const [, first] = await deliverer.listDeliveries(organization, endpoint_id);
      const { payload } = (
        await organization.call('get_webhook_delivery', { params: { delivery_id: first?.id ?? '' } })
      ).body;
      expect(payload.data.object).toMatchObject({ id, status: 'manual_review', created_by: { name: 'Key' } });
    });

    it('are kept for 30 days, and longer while a delivery is pending', async () => {
      const { deps } = service.get();
      const { id: endpoint_id } = await deliverer.register(organization, URL);
      const send = async () => (await organization.call('test_webhook_endpoint', { params: { endpoint_id } })).body;
      const [ended, pending] = [await send(), await send()];
      const set = { status: 'succeeded', next_attempt_at: null, attempts: 1 } as const;
      await deps.db.update(webhookDeliveries).set(set).where(eq(webhookDeliveries.id, ended.id));
      const attempt = { number: 1, endpoint_id, at: deps.clock.now(), status_code: 204, latency_ms: 1 };
      await deps.db.insert(webhookAttempts).values({ delivery_id: ended.id, ...attempt });
      deps.clock.advance(30 * DAY_MS);
      await purgeEvents(deps);
      expect(await deliverer.listDeliveries(organization, endpoint_id)).toHaveLength(2);
      deps.clock.advance(1);
      await purgeEvents(deps);
      expect((await deliverer.listDeliveries(organization, endpoint_id)).map(({ id }) => id)).toEqual([pending.id]);
      const left = await deps.db.select().from(webhookEvents).where(eq(webhookEvents.id, ended.event_id));
      const attempts = await deps.db.select().from(webhookAttempts).where(eq(webhookAttempts.delivery_id, ended.id));
      expect([left, attempts]).toEqual([[], []]);
    });
  },
);
