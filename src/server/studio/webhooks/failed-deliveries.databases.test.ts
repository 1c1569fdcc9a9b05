import { expect, it } from 'vitest';
import { verifyWebhook } from '#contract/api/signature.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { describeWebhooks } from './testing/webhook-fixture.ts';
import { sentGeneration } from './testing/sent-generation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];

describeWebhooks('failed deliveries', (fixture) => {
  it('are retried after 1 m, 5 m, 30 m, 2 h and 12 h with the same event and a new timestamp, and never a seventh time', async () => {
    fixture.receiver.defaultBehaviors.set(fixture.path, 500);
    const { id, secret } = await fixture.register();
    await fixture.start();
    await fixture.sendTest(id);
    let delivery = await fixture.waitForAttempts(id, 1);
    for (const [index, delayMs] of DELAYS_MS.entries()) {
      expect(delivery.status).toBe('pending');
      expect(delivery.next_attempt_at).toBe(new Date(fixture.now().getTime() + delayMs).toISOString());
      fixture.advance(delayMs - 1);
      await fixture.waitForNextPoll();
      expect(fixture.receiver.receivedAt(fixture.path)).toHaveLength(index + 1);
      fixture.advance(1);
      delivery = await fixture.waitForAttempts(id, index + 2);
    }
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    fixture.advance(DAY_MS);
    await fixture.waitForNextPoll();
    const sent = fixture.receiver.receivedAt(fixture.path);
    expect(sent).toHaveLength(6);
    expect(new Set(sent.map(({ headers }) => headers['service-event-id']))).toEqual(new Set([delivery.event_id]));
    expect(new Set(sent.map(({ event }) => event.id))).toEqual(new Set([delivery.event_id]));
    for (const [index, { at }] of delivery.attempts.entries()) {
      const [header, body] = [String(sent[index]?.headers['service-signature']), sent[index]?.body ?? ''];
      expect(await verifyWebhook({ secret, header, body, now: new Date(at) })).toMatchObject({
        problem: null,
        age_seconds: 0,
      });
    }
    expect(delivery.attempts[0]).toMatchObject({
      status_code: 500,
      error: 'The receiver responded with status 500. Any status from 200 to 299 acknowledges.',
      excerpt: 'The answer 500',
    });
  });

  it.each([301, 307, 400, 404, 410, 429])('include responses with status %i', async (status_code) => {
    fixture.receiver.nextBehaviors.set(fixture.path, [
      (response) => response.writeHead(status_code, { location: `${fixture.path}/on` }).end(),
    ]);
    const { id } = await fixture.register();
    await fixture.start();
    await fixture.sendTest(id);
    const delivery = await fixture.waitForAttempts(id, 1);
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status_code, error: expect.any(String) }] });
    fixture.advance(MINUTE_MS);
    expect(await fixture.waitForAttempts(id, 2)).toMatchObject({ status: 'succeeded' });
    expect(fixture.receiver.receivedAt(`${fixture.path}/on`)).toEqual([]);
  });

  it.each([200, 201, 202, 299])('exclude responses with status %i', async (status_code) => {
    fixture.receiver.defaultBehaviors.set(fixture.path, status_code);
    const { id } = await fixture.register();
    await fixture.start();
    await fixture.sendTest(id);
    expect(await fixture.waitForAttempts(id, 1)).toMatchObject({
      status: 'succeeded',
      attempts: [{ status_code }],
    });
  });

  it('are not sent when the name resolves to a private address by then', async () => {
    const { id } = await fixture.deliverer.register(
      fixture.organization,
      `https://${fixture.path.slice(1)}.rebound.test/`,
    );
    await fixture.start();
    await fixture.sendTest(id);
    const [attempt] = (await fixture.waitForAttempts(id, 1)).attempts;
    expect(attempt).toMatchObject({ status_code: null, error: expect.stringMatching(/private or local network/) });
  });

  it('record that the receiver closed the connection', async () => {
    fixture.receiver.nextBehaviors.set(fixture.path, [(response) => void response.destroy()]);
    const { id } = await fixture.register();
    await fixture.start();
    await fixture.sendTest(id);
    const [attempt] = (await fixture.waitForAttempts(id, 1)).attempts;
    expect(attempt).toMatchObject({
      status_code: null,
      error: 'The server could not be reached, or the connection was lost.',
    });
  });

  it('show the response as plain text', async () => {
    const answer = `<b>No</b>\u0000\u001b[31m\n\u202e${'x'.repeat(5_000)}`;
    fixture.receiver.nextBehaviors.set(fixture.path, [(response) => void response.writeHead(500).end(answer)]);
    const { id } = await fixture.register();
    await fixture.start();
    await fixture.sendTest(id);
    const [attempt] = (await fixture.waitForAttempts(id, 1)).attempts;
    expect(attempt?.excerpt).toMatch(/^<b>No<\/b> \[31m x+$/);
    expect(attempt?.excerpt).toHaveLength(1_000);
  });

  it('can be redelivered one by one or recovered since a time, with the same event ids', async () => {
    fixture.receiver.defaultBehaviors.set(fixture.path, 503);
    const { id } = await fixture.register();
    await fixture.start();
    const early = await fixture.sendTest(id);
    fixture.advance(HOUR_MS);
    const since = fixture.now().toISOString();
    const later = [await fixture.sendTest(id), await fixture.sendTest(id)];
    for (const delayMs of [0, ...DELAYS_MS]) {
      fixture.advance(delayMs);
      await waitFor('every attempt', async () =>
        (await fixture.listDeliveries(id)).every(
          ({ next_attempt_at }) => next_attempt_at === null || new Date(next_attempt_at) > fixture.now(),
        ),
      );
    }
    fixture.advance(DAY_MS);
    await waitFor('all to fail', async () =>
      (await fixture.listDeliveries(id)).every(({ status }) => status === 'failed'),
    );
    fixture.receiver.defaultBehaviors.set(fixture.path, 204);
    const params = { endpoint_id: id };
    const { body: recovery } = await fixture.organization.call('recover_webhook_endpoint', { params, body: { since } });
    expect(recovery).toEqual({ object: 'webhook_recovery', count: 2 });
    await waitFor('both', async () => (await fixture.listDeliveries(id, 'succeeded')).length === 2);
    expect((await fixture.listDeliveries(id, 'failed')).map((one) => one.id)).toEqual([early.id]);
    const redelivered = await fixture.organization.call('redeliver_webhook', { params: { delivery_id: early.id } });
    expect(redelivered.body).toMatchObject({ id: early.id, event_id: early.event_id, status: 'pending' });
    expect(redelivered.body.next_attempt_at).toBe(fixture.now().toISOString());
    await waitFor('the first', async () => (await fixture.listDeliveries(id, 'succeeded')).length === 3);
    const delivered = fixture.receiver.receivedAt(fixture.path).slice(-3);
    expect(new Set(delivered.map(({ event }) => event.id))).toEqual(
      new Set([early, ...later].map(({ event_id }) => event_id)),
    );
    const { body } = await fixture.organization.call('recover_webhook_endpoint', {
      params,
      body: { since: '2020-01-01T00:00:00Z' },
    });
    expect(body.count).toBe(0);
  });

  it('are counted and recovered while they are still being retried', async () => {
    fixture.receiver.defaultBehaviors.set(fixture.path, 503);
    const { id } = await fixture.register();
    await fixture.start();
    const params = { endpoint_id: id };
    const early = await fixture.sendTest(id);
    await fixture.waitForAttempts(id, 1);
    fixture.advance(HOUR_MS / 2);
    const since = fixture.now().toISOString();
    const later = await fixture.sendTest(id);
    await waitFor('an attempt of each', async () =>
      (await fixture.listDeliveries(id)).every(
        ({ attempts, next_attempt_at }) =>
          attempts.length > 0 && next_attempt_at !== null && new Date(next_attempt_at) > fixture.now(),
      ),
    );
    expect((await fixture.listDeliveries(id)).map(({ status }) => status)).toEqual(['pending', 'pending']);
    const before = await fixture.listDeliveries(id);
    const recover = async (body: { since: string; dry_run?: boolean }) =>
      (await fixture.organization.call('recover_webhook_endpoint', { params, body })).body;
    expect(await recover({ since, dry_run: true })).toEqual({ object: 'webhook_recovery', count: 1 });
    expect(await recover({ since: '2020-01-01T00:00:00Z', dry_run: true })).toMatchObject({ count: 2 });
    expect(await fixture.listDeliveries(id)).toEqual(before);

    fixture.receiver.defaultBehaviors.set(fixture.path, 204);
    expect(await recover({ since })).toEqual({ object: 'webhook_recovery', count: 1 });
    await waitFor('the later one', async () => (await fixture.listDeliveries(id, 'succeeded')).length === 1);
    expect((await fixture.listDeliveries(id, 'succeeded')).map((one) => one.id)).toEqual([later.id]);
    expect((await fixture.listDeliveries(id, 'pending')).map((one) => one.id)).toEqual([early.id]);
    expect(await recover({ since: '2020-01-01T00:00:00Z' })).toMatchObject({ count: 1 });
    await waitFor('both', async () => (await fixture.listDeliveries(id, 'succeeded')).length === 2);
    expect(await recover({ since: '2020-01-01T00:00:00Z', dry_run: true })).toMatchObject({ count: 0 });
  });

  it('cause a warning after 5 days and disable the endpoint after 14 days', async () => {
    fixture.receiver.defaultBehaviors.set(fixture.path, 500);
    const { id } = await fixture.register();
    const params = { endpoint_id: id };
    await fixture.start();
    const failOnce = async () => {
      await fixture.sendTest(id);
      // Older deliveries are due as well; one that fails later would count as failed at a later time.
      await waitFor('every attempt', async () =>
        (await fixture.listDeliveries(id)).every(
          ({ next_attempt_at }) => next_attempt_at === null || new Date(next_attempt_at) > fixture.now(),
        ),
      );
    };
    await failOnce();
    const failing_since = (await fixture.readEndpoint(id))?.health?.failing_since;
    expect(await fixture.readEndpoint(id)).toMatchObject({
      status: 'enabled',
      last_delivery_status: 'pending',
      health: { attempts: 1, failed_attempts: 1, failing_since: fixture.now().toISOString(), warning: null },
    });
    fixture.advance(5 * DAY_MS);
    await failOnce();
    const warned = await fixture.readEndpoint(id);
    expect(warned).toMatchObject({ status: 'enabled', health: { failing_since } });
    expect(warned?.health?.warning).toMatch(/^No delivery has been acknowledged since .*disabled after/);
    fixture.advance(9 * DAY_MS - 1);
    await failOnce();
    expect((await fixture.readEndpoint(id))?.status).toBe('enabled');
    fixture.advance(1);
    await failOnce();
    const off = await waitFor('the switch', async () => {
      const endpoint = await fixture.readEndpoint(id);
      return endpoint?.status === 'disabled' && endpoint;
    });
    expect(off.health).toMatchObject({
      disabled_at: fixture.now().toISOString(),
      warning: expect.stringMatching(/disabled/),
    });
    await waitFor('nothing to be sent', async () => (await fixture.listDeliveries(id, 'pending')).length === 0);
    const since = '2020-01-01T00:00:00Z';
    expect((await fixture.organization.callError('test_webhook_endpoint', { params })).error.code).toBe(
      'webhook_endpoint_disabled',
    );
    expect((await fixture.organization.callError('recover_webhook_endpoint', { params, body: { since } })).status).toBe(
      409,
    );
    await fixture.workers.start();
    const missed = await fixture.workers.create(fixture.organization, 'a picture');
    await fixture.workers.waitForStatus(fixture.organization, missed.id, 'succeeded');
    const [kept] = await fixture.listDeliveries(id);
    expect(kept).toMatchObject({ generation_id: missed.id, status: 'failed', attempts: [] });

    fixture.receiver.defaultBehaviors.set(fixture.path, 204);
    const { body: on } = await fixture.organization.call('enable_webhook_endpoint', { params });
    expect(on).toMatchObject({
      status: 'enabled',
      health: { failing_since: null, disabled_at: null, warning: null },
    });
    const failed = await fixture.listDeliveries(id, 'failed');
    const { body } = await fixture.organization.call('recover_webhook_endpoint', { params, body: { since } });
    expect(body.count).toBe(failed.length);
    await waitFor('all of it', async () =>
      (await fixture.listDeliveries(id)).every((one) => one.status === 'succeeded'),
    );
    expect(fixture.receiver.receivedAt(fixture.path).some(({ event }) => sentGeneration(event).id === missed.id)).toBe(
      true,
    );
  });
});
