import { describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { WebhookEvent } from '#contract/resources/webhook.ts';
import { verifyWebhook } from '#contract/api/signature.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { describeWebhooks } from './testing/webhook-fixture.ts';
import { sentGeneration } from './testing/sent-generation.ts';

const DAY_MS = 86_400_000;

/** Derivatives appear at any time, and no event reports them. */
const withoutCopies = ({ output, ...rest }: Generation) => ({
  ...rest,
  output: { ...output, assets: output.assets.map((asset) => ({ ...asset, derivatives: undefined })) },
});

describeWebhooks('deliveries', (fixture) => {
  describe('of generation events', () => {
    it('send the signed generation to subscribers', async () => {
      const { id, secret } = await fixture.register(['generation.succeeded']);
      const deaf = await fixture.deliverer.register(
        fixture.organization,
        fixture.receiver.url(`${fixture.path}/deaf`),
        ['generation.manual_review'],
      );
      await fixture.workers.start();
      const generation = await fixture.workers.create(fixture.organization, 'a picture');
      await fixture.workers.waitForStatus(fixture.organization, generation.id, 'succeeded');
      const broken = await fixture.workers.create(fixture.organization, 'fail');
      await fixture.workers.waitForStatus(fixture.organization, broken.id, 'failed');
      const delivery = await fixture.waitForAttempts(id, 1);
      const [sent] = fixture.receiver.receivedAt(fixture.path);
      const { data, ...event } = WebhookEvent.parse(sent?.event);
      expect(event).toEqual({
        id: delivery.event_id,
        type: 'generation.succeeded',
        created_at: delivery.created_at,
      });
      expect(data.object).toEqual(withoutCopies(await fixture.workers.read(fixture.organization, generation.id)));
      expect(sent && sentGeneration(sent.event).output.assets).toHaveLength(1);
      expect(sent?.headers['service-event-id']).toBe(delivery.event_id);
      expect(sent?.headers['content-type']).toBe('application/json');
      const header = String(sent?.headers['service-signature']);
      expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
      expect((await verifyWebhook({ secret, header, body: sent?.body ?? '', now: fixture.now() })).problem).toBeNull();
      expect(delivery).toMatchObject({
        status: 'succeeded',
        next_attempt_at: null,
        generation_id: generation.id,
        test: false,
      });
      expect(delivery.attempts).toMatchObject([{ status_code: 204, error: null, excerpt: null }]);
      expect(fixture.receiver.receivedAt(fixture.path)).toHaveLength(1);
      expect(await fixture.listDeliveries(deaf.id)).toEqual([]);
    });

    it('have the same body in every attempt except for links, even after media were deleted', async () => {
      const { id } = await fixture.register(['generation.succeeded']);
      await fixture.workers.start();
      const generation = await fixture.workers.create(fixture.organization, 'a picture');
      await fixture.workers.waitForStatus(fixture.organization, generation.id, 'succeeded');
      const delivery = await fixture.waitForAttempts(id, 1);
      const params = { delivery_id: delivery.id };
      const asset = await waitFor('small copies', async () => {
        const [first] = (await fixture.workers.read(fixture.organization, generation.id)).output.assets;
        return first?.derivatives && first;
      });
      const { body: withCopies } = await fixture.organization.call('get_webhook_delivery', { params });
      await fixture.organization.call('delete_media', { body: { ids: [asset.id] } });
      expect(
        (await fixture.workers.read(fixture.organization, generation.id)).output.assets[0]?.removed_at,
      ).not.toBeNull();
      fixture.advance(DAY_MS);
      await fixture.organization.call('redeliver_webhook', { params });
      await fixture.waitForArrivals(2);
      const sent = fixture.receiver.receivedAt(fixture.path).map(({ event }) => event);
      const links = sent.map((event) => sentGeneration(event).output.assets[0]?.url);
      expect(new Set(links).size).toBe(2);
      const contents = [...sent, withCopies.payload].map((event) =>
        JSON.stringify(event, (key, value: unknown) => (key === 'url' || key === 'expires_at' ? null : value)),
      );
      expect(new Set(contents).size).toBe(1);
    });

    it('are sent for failures and not for cancellations', async () => {
      const { id } = await fixture.register();
      await fixture.workers.start();
      const canceled = await fixture.workers.create(fixture.organization, 'hang');
      await fixture.workers.waitForStatus(fixture.organization, canceled.id, 'running');
      await fixture.organization.call('cancel_generation', { params: { generation_id: canceled.id } });
      const failed = await fixture.workers.create(fixture.organization, 'fail');
      await fixture.workers.waitForStatus(fixture.organization, failed.id, 'failed');
      await fixture.waitForArrivals(1);
      const events = fixture.receiver
        .receivedAt(fixture.path)
        .map(({ event }) => [event.type, sentGeneration(event).id]);
      expect(events).toEqual([['generation.failed', failed.id]]);
      expect(fixture.receiver.receivedAt(fixture.path)[0]?.event.data.object).toMatchObject({
        status: 'failed',
        error: { retryable: true },
      });
      expect(await fixture.listDeliveries(id)).toHaveLength(1);
    });

    it('are sent to the organization of the generation only', async () => {
      const otherOrganization = await fixture.service.createOrganization('1');
      const { id } = await fixture.deliverer.register(otherOrganization, fixture.receiver.url(fixture.path));
      await fixture.workers.start();
      const generation = await fixture.workers.create(fixture.organization, 'a picture');
      await fixture.workers.waitForStatus(fixture.organization, generation.id, 'succeeded');
      expect(await fixture.deliverer.listDeliveries(otherOrganization, id)).toEqual([]);
    });
  });

  it('to a hanging endpoint are limited to two at a time and continue when one finishes', async () => {
    fixture.receiver.defaultBehaviors.set(fixture.path, 'hang');
    const { id } = await fixture.register();
    for (let times = 0; times < 5; times += 1) await fixture.sendTest(id);
    await fixture.start();
    await waitFor('two to hang', async () => fixture.receiver.waiting(fixture.path) === 2);
    await fixture.waitForNextPoll();
    expect(fixture.receiver.receivedAt(fixture.path)).toHaveLength(2);
    fixture.receiver.defaultBehaviors.set(fixture.path, 204);
    fixture.receiver.release();
    await waitFor('all five', async () => (await fixture.listDeliveries(id, 'succeeded')).length === 5);
    expect([fixture.receiver.receivedAt(fixture.path).length, fixture.receiver.maxWaiting(fixture.path)]).toEqual([
      5, 2,
    ]);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const { id, secret: old } = await fixture.register();
    const params = { endpoint_id: id };
    const { body: rotated } = await fixture.organization.call('rotate_webhook_secret', { params });
    const until = new Date(fixture.now().getTime() + DAY_MS).toISOString();
    expect(rotated).toMatchObject({ id, previous_secret_expires_at: until });
    expect(rotated.secret).not.toBe(old);
    expect((await fixture.readEndpoint(id))?.previous_secret_expires_at).toBe(until);
    await fixture.start();
    const verdicts = async () => {
      const sent = fixture.receiver.receivedAt(fixture.path).at(-1);
      const header = String(sent?.headers['service-signature']);
      const judged = [old, rotated.secret].map((secret) =>
        verifyWebhook({ secret, header, body: sent?.body ?? '', now: fixture.now() }),
      );
      return (await Promise.all(judged)).map(({ problem }) => problem);
    };
    await fixture.sendTest(id);
    await fixture.waitForArrivals(1);
    expect(await verdicts()).toEqual([null, null]);
    fixture.advance(DAY_MS);
    await fixture.sendTest(id);
    await fixture.waitForArrivals(2);
    expect(await verdicts()).toEqual(['signature', null]);
    expect((await fixture.readEndpoint(id))?.previous_secret_expires_at).toBeNull();
  });

  it('are listed by page and status, and read with their payload', async () => {
    const { id } = await fixture.register(['generation.failed']);
    const generation = [await fixture.sendTest(id), await fixture.sendTest(id), await fixture.sendTest(id)].map(
      (one) => one.id,
    );
    const params = { endpoint_id: id };
    const first = (await fixture.organization.call('list_webhook_deliveries', { params, query: { limit: 2 } })).body;
    const query = { limit: 2, cursor: first.next_cursor ?? '' };
    const second = (await fixture.organization.call('list_webhook_deliveries', { params, query })).body;
    expect([...first.data, ...second.data].map((one) => one.id)).toEqual(generation.toReversed());
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    expect(
      (await fixture.organization.callError('list_webhook_deliveries', { params, query: { cursor: 'AAAA.BBBB' } }))
        .status,
    ).toBe(400);
    expect(await fixture.listDeliveries(id, 'failed')).toEqual([]);
    const delivery_id = generation[0] ?? '';
    const { body } = await fixture.organization.call('get_webhook_delivery', { params: { delivery_id } });
    expect(body).toMatchObject({
      id: delivery_id,
      test: true,
      status: 'pending',
      payload: { type: 'generation.failed', data: { object: { status: 'failed', metadata: { test: 'true' } } } },
    });
    expect(body.payload.id).toBe(body.event_id);
  });
});
