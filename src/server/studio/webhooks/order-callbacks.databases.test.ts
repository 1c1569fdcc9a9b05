import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestClient, createTestClient } from '#server/app/testing/test-client.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { callbackDeliveries } from '#server/platform/db/schema/webhook-schema.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { transitionGeneration } from '#server/studio/generations/transition-generation.ts';
import { checkReceiver } from './check-receiver.ts';
import { startDeliverer } from './deliverer.ts';
import { type CallbackEvent, registerCallback } from './order-callbacks.ts';
import { describeWebhooks } from './testing/webhook-fixture.ts';

/** More than one key may have at once. */
const HANGING = 55;

describeWebhooks('the address of an order', (hooks) => {
  const stops: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    const format = {
      build: async (
        _deps: unknown,
        organization_id: string,
        { id, status }: { id: string; status: string },
        event: string,
      ) =>
        status === 'manual_review'
          ? null
          : { body: JSON.stringify({ id, status, event }), headers: { 'x-organization': organization_id } },
    };
    const options = { alone: true, formats: { test: format }, pollIntervalMs: 50 };
    stops.push(await startDeliverer(hooks.service.get().deps, options));
  });
  afterEach(async () => {
    hooks.receiver.release();
    for (const stop of stops.splice(0)) await stop();
  });

  const order = async (client: TestClient = hooks.organization) => {
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
    return (await client.call('create_generation', { body })).body.id;
  };
  const register = (generation_id: string, events: CallbackEvent[], path = hooks.path) =>
    registerCallback(hooks.service.get().deps, {
      generation_id,
      organization_id: hooks.organization.organization_id,
      format: 'test',
      url: hooks.receiver.url(path),
      events,
    });
  const move = async (id: string, to: 'manual_review' | 'succeeded' | 'failed' | 'canceled') => {
    const { deps } = hooks.service.get();
    await deps.db.update(generations).set({ status: 'running' }).where(eq(generations.id, id));
    await deps.db.transaction((tx) => transitionGeneration(deps, tx, id, to, { updated_at: deps.clock.now() }));
  };
  const readDelivery = (id: string) =>
    hooks.service.get().deps.db.select().from(callbackDeliveries).where(eq(callbackDeliveries.generation_id, id));
  const received = () => hooks.receiver.receivedAt(hooks.path).map(({ body }) => JSON.parse(body) as unknown);

  it.each(['succeeded', 'failed', 'canceled'] as const)('hears once when it has %s', async (status) => {
    const id = await order();
    await register(id, ['completed']);
    await register(id, ['completed']);
    await move(id, status);
    await hooks.waitForArrivals(1);
    expect(received()).toEqual([{ id, status, event: 'completed' }]);
    const [delivery] = hooks.receiver.receivedAt(hooks.path);
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-organization': hooks.organization.organization_id,
    });
  });

  it('hears that it began, and of an end that came before the address', async () => {
    const id = await order();
    await move(id, 'failed');
    await register(id, ['started', 'completed']);
    await hooks.waitForArrivals(2);
    expect(received()).toEqual(
      expect.arrayContaining([
        { id, status: 'failed', event: 'started' },
        { id, status: 'failed', event: 'completed' },
      ]),
    );
  });

  it('is tried again if it does not acknowledge', async () => {
    hooks.receiver.defaultBehaviors.set(hooks.path, 500);
    const id = await order();
    await register(id, ['completed']);
    await move(id, 'succeeded');
    await hooks.waitForArrivals(1);
    const waitForTries = (tries: number) =>
      waitFor(`retry ${tries} to be planned`, async () => {
        const [waiting] = await readDelivery(id);
        return waiting?.tries === tries && waiting.lease_owner === null;
      });
    await waitForTries(1);
    hooks.advance(10_000);
    await hooks.waitForArrivals(2);
    await waitForTries(2);
    hooks.receiver.defaultBehaviors.delete(hooks.path);
    hooks.advance(20_000);
    await hooks.waitForArrivals(3);
    await waitFor('nothing to be left', async () => (await readDelivery(id)).length === 0);
  });

  it('that hangs delays no other key, and a claim of an ended process is sent again', async () => {
    const { service, organization, receiver, path } = hooks;
    const { deps, app } = service.get();
    const { body } = await organization.call('create_api_key', { body: { name: 'Other', kind: 'organization' } });
    const other = createTestClient(app, body.key);
    for (let index = 0; index < HANGING; index += 1) {
      receiver.defaultBehaviors.set(`${path}/hangs/${index}`, 'hang');
      const id = await order();
      await register(id, ['completed'], `${path}/hangs/${index}`);
      await move(id, 'succeeded');
    }
    const hanging = () => receiver.received.filter((delivery) => delivery.path.startsWith(`${path}/hangs/`)).length;
    await waitFor('as many as may hang at once', async () => hanging() >= 8);
    const id = await order(other);
    await register(id, ['completed']);
    await move(id, 'failed');
    await hooks.waitForArrivals(1);
    expect(hanging()).toBeLessThan(HANGING);
    const lost = await order(other);
    await register(lost, ['completed']);
    const now = deps.clock.now();
    await deps.db.insert(callbackDeliveries).values({
      generation_id: lost,
      event: 'completed',
      organization_id: organization.organization_id,
      key_id: body.id,
      receiver: `${body.id} localhost`,
      next_attempt_at: now,
      lease_owner: 'a process that has ended',
      lease_expires_at: new Date(now.getTime() + 5_000),
    });
    hooks.advance(5_001);
    await hooks.waitForArrivals(2);
  });

  it('must be public and HTTPS', async () => {
    const { fetcher } = hooks.service.get().deps;
    const check = (url: string) => checkReceiver(fetcher, url, 'webhook');
    await expect(check('http://public.test/')).rejects.toMatchObject({ status: 422, details: [{ path: 'webhook' }] });
    await expect(check('https://inside.test/')).rejects.toMatchObject({ status: 400 });
    await expect(check('https://public.test/')).resolves.toBeUndefined();
  });
});
