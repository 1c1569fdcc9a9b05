import { describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { WebhookEvent } from '#contract/resources/webhook.ts';
import { verifyWebhook } from '#contract/signature.ts';
import { waitFor } from '#server/generations/testing/wait-for.ts';
import { describeWebhooks } from './testing/webhook-fixture.ts';

const DAY_MS = 86_400_000;

/** Small copies come when they come, and no event tells of them. */
const withoutCopies = ({ output, ...rest }: Generation) => ({
  ...rest,
  output: { ...output, assets: output.assets.map((asset) => ({ ...asset, derivatives: undefined })) },
});

describeWebhooks('deliveries', (lab) => {
  describe('of generation events', () => {
    it('send the signed generation to subscribers', async () => {
      const { id, secret } = await lab.register(['generation.succeeded']);
      const deaf = await lab.deliverer.register(lab.organization, lab.receiver.url(`${lab.path}/deaf`), [
        'generation.manual_review',
      ]);
      await lab.workers.start();
      const made = await lab.workers.create(lab.organization, 'a picture');
      await lab.workers.waitForStatus(lab.organization, made.id, 'succeeded');
      const broken = await lab.workers.create(lab.organization, 'fail');
      await lab.workers.waitForStatus(lab.organization, broken.id, 'failed');
      const delivery = await lab.waitForAttempts(id, 1);
      const [sent] = lab.receiver.receivedAt(lab.path);
      const { data, ...event } = WebhookEvent.parse(sent?.event);
      expect(event).toEqual({
        id: delivery.event_id,
        type: 'generation.succeeded',
        created_at: delivery.created_at,
      });
      expect(data.object).toEqual(withoutCopies(await lab.workers.read(lab.organization, made.id)));
      expect(sent?.event.data.object.output.assets).toHaveLength(1);
      expect(sent?.headers['service-event-id']).toBe(delivery.event_id);
      expect(sent?.headers['content-type']).toBe('application/json');
      const header = String(sent?.headers['service-signature']);
      expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
      expect((await verifyWebhook({ secret, header, body: sent?.body ?? '', now: lab.now() })).problem).toBeNull();
      expect(delivery).toMatchObject({
        status: 'succeeded',
        next_attempt_at: null,
        generation_id: made.id,
        test: false,
      });
      expect(delivery.attempts).toMatchObject([{ status_code: 204, error: null, excerpt: null }]);
      expect(lab.receiver.receivedAt(lab.path)).toHaveLength(1);
      expect(await lab.listDeliveries(deaf.id)).toEqual([]);
    });

    it('have the same body in every attempt except for links, even after media were deleted', async () => {
      const { id } = await lab.register(['generation.succeeded']);
      await lab.workers.start();
      const made = await lab.workers.create(lab.organization, 'a picture');
      await lab.workers.waitForStatus(lab.organization, made.id, 'succeeded');
      const delivery = await lab.waitForAttempts(id, 1);
      const params = { delivery_id: delivery.id };
      const asset = await waitFor('small copies', async () => {
        const [first] = (await lab.workers.read(lab.organization, made.id)).output.assets;
        return first?.derivatives && first;
      });
      const { body: with_copies } = await lab.organization.call('get_webhook_delivery', { params });
      await lab.organization.call('delete_media', { body: { ids: [asset.id] } });
      expect((await lab.workers.read(lab.organization, made.id)).output.assets[0]?.removed_at).not.toBeNull();
      lab.advance(DAY_MS);
      await lab.organization.call('redeliver_webhook', { params });
      await lab.waitForArrivals(2);
      const sent = lab.receiver.receivedAt(lab.path).map(({ event }) => event);
      const links = sent.map(({ data }) => data.object.output.assets[0]?.url);
      expect(new Set(links).size).toBe(2);
      const contents = [...sent, with_copies.payload].map((event) =>
        JSON.stringify(event, (key, value: unknown) => (key === 'url' || key === 'expires_at' ? null : value)),
      );
      expect(new Set(contents).size).toBe(1);
    });

    it('are sent for failures and not for cancellations', async () => {
      const { id } = await lab.register();
      await lab.workers.start();
      const canceled = await lab.workers.create(lab.organization, 'hang');
      await lab.workers.waitForStatus(lab.organization, canceled.id, 'running');
      await lab.organization.call('cancel_generation', { params: { generation_id: canceled.id } });
      const failed = await lab.workers.create(lab.organization, 'fail');
      await lab.workers.waitForStatus(lab.organization, failed.id, 'failed');
      await lab.waitForArrivals(1);
      const events = lab.receiver.receivedAt(lab.path).map(({ event }) => [event.type, event.data.object.id]);
      expect(events).toEqual([['generation.failed', failed.id]]);
      expect(lab.receiver.receivedAt(lab.path)[0]?.event.data.object).toMatchObject({
        status: 'failed',
        error: { retryable: true },
      });
      expect(await lab.listDeliveries(id)).toHaveLength(1);
    });

    it('are sent to the organization of the generation only', async () => {
      const stranger = await lab.service.createOrganization('1');
      const { id } = await lab.deliverer.register(stranger, lab.receiver.url(lab.path));
      await lab.workers.start();
      const made = await lab.workers.create(lab.organization, 'a picture');
      await lab.workers.waitForStatus(lab.organization, made.id, 'succeeded');
      expect(await lab.deliverer.listDeliveries(stranger, id)).toEqual([]);
    });
  });

  it('to a hanging endpoint are limited to two at a time and continue when one finishes', async () => {
    lab.receiver.default_behaviors.set(lab.path, 'hang');
    const { id } = await lab.register();
    for (let times = 0; times < 5; times += 1) await lab.sendTest(id);
    await lab.start();
    await waitFor('two to hang', async () => lab.receiver.waiting(lab.path) === 2);
    await lab.waitForNextPoll();
    expect(lab.receiver.receivedAt(lab.path)).toHaveLength(2);
    lab.receiver.default_behaviors.set(lab.path, 204);
    lab.receiver.release();
    await waitFor('all five', async () => (await lab.listDeliveries(id, 'succeeded')).length === 5);
    expect([lab.receiver.receivedAt(lab.path).length, lab.receiver.max_waiting(lab.path)]).toEqual([5, 2]);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const { id, secret: old } = await lab.register();
    const params = { endpoint_id: id };
    const { body: rotated } = await lab.organization.call('rotate_webhook_secret', { params });
    const until = new Date(lab.now().getTime() + DAY_MS).toISOString();
    expect(rotated).toMatchObject({ id, previous_secret_expires_at: until });
    expect(rotated.secret).not.toBe(old);
    expect((await lab.readEndpoint(id))?.previous_secret_expires_at).toBe(until);
    await lab.start();
    const verdicts = async () => {
      const sent = lab.receiver.receivedAt(lab.path).at(-1);
      const header = String(sent?.headers['service-signature']);
      const judged = [old, rotated.secret].map((secret) =>
        verifyWebhook({ secret, header, body: sent?.body ?? '', now: lab.now() }),
      );
      return (await Promise.all(judged)).map(({ problem }) => problem);
    };
    await lab.sendTest(id);
    await lab.waitForArrivals(1);
    expect(await verdicts()).toEqual([null, null]);
    lab.advance(DAY_MS);
    await lab.sendTest(id);
    await lab.waitForArrivals(2);
    expect(await verdicts()).toEqual(['signature', null]);
    expect((await lab.readEndpoint(id))?.previous_secret_expires_at).toBeNull();
  });

  it('are listed by page and status, and read with their payload', async () => {
    const { id } = await lab.register(['generation.failed']);
    const made = [await lab.sendTest(id), await lab.sendTest(id), await lab.sendTest(id)].map((one) => one.id);
    const params = { endpoint_id: id };
    const first = (await lab.organization.call('list_webhook_deliveries', { params, query: { limit: 2 } })).body;
    const query = { limit: 2, cursor: first.next_cursor ?? '' };
    const second = (await lab.organization.call('list_webhook_deliveries', { params, query })).body;
    expect([...first.data, ...second.data].map((one) => one.id)).toEqual(made.toReversed());
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    expect(
      (await lab.organization.callError('list_webhook_deliveries', { params, query: { cursor: 'AAAA.BBBB' } })).status,
    ).toBe(400);
    expect(await lab.listDeliveries(id, 'failed')).toEqual([]);
    const delivery_id = made[0] ?? '';
    const { body } = await lab.organization.call('get_webhook_delivery', { params: { delivery_id } });
    expect(body).toMatchObject({
      id: delivery_id,
      test: true,
      status: 'pending',
      payload: { type: 'generation.failed', data: { object: { status: 'failed', metadata: { test: 'true' } } } },
    });
    expect(body.payload.id).toBe(body.event_id);
  });
});
