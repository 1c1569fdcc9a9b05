import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { transitionGeneration } from '#server/studio/generations/transition-generation.ts';
import { checkReceiver } from './check-receiver.ts';
import { type CallbackEvent, registerCallback, startCallbacks } from './order-callbacks.ts';
import { describeWebhooks } from './testing/webhook-fixture.ts';

describeWebhooks('the address of an order', (hooks) => {
  const stops: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    const shutdown = new AbortController();
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
    const stop = await startCallbacks(hooks.service.get().deps, { test: format }, shutdown.signal);
    stops.push(async () => {
      shutdown.abort();
      await stop();
    });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  const order = async () => {
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
    return (await hooks.organization.call('create_generation', { body })).body.id;
  };
  const register = (generation_id: string, events: CallbackEvent[]) =>
    registerCallback(hooks.service.get().deps, {
      generation_id,
      organization_id: hooks.organization.organization_id,
      format: 'test',
      url: hooks.receiver.url(hooks.path),
      events,
    });
  const move = async (id: string, to: 'manual_review' | 'succeeded' | 'failed' | 'canceled') => {
    const { deps } = hooks.service.get();
    await deps.db.update(generations).set({ status: 'running' }).where(eq(generations.id, id));
    await deps.db.transaction((tx) => transitionGeneration(deps, tx, id, to, { updated_at: deps.clock.now() }));
  };
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
    await waitFor('the retry to be planned', async () => {
      const [job] = await readRows<{ state: string; retry_limit: number }>(
        hooks.service.get().deps.db,
        sql`select state::text, retry_limit from pgboss.job where name = 'callback.send' and data->>'generation_id' = ${id}`,
      );
      return job?.state === 'retry' && job.retry_limit > 10;
    });
  });

  it('must be public and HTTPS', async () => {
    const { fetcher } = hooks.service.get().deps;
    const check = (url: string) => checkReceiver(fetcher, url, 'webhook');
    await expect(check('http://public.test/')).rejects.toMatchObject({ status: 422, details: [{ path: 'webhook' }] });
    await expect(check('https://inside.test/')).rejects.toMatchObject({ status: 400 });
    await expect(check('https://public.test/')).resolves.toBeUndefined();
  });
});
