import { expect, it } from 'vitest';
import { verifyWebhook } from '#contract/signature.ts';
import { waitFor } from '#server/generations/testing/wait-for.ts';
import { describeWebhooks } from './testing/webhook-fixture.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];

describeWebhooks('failed deliveries', (lab) => {
  it('are retried after 1 m, 5 m, 30 m, 2 h and 12 h with the same event and a new timestamp, and never a seventh time', async () => {
    lab.receiver.default_behaviors.set(lab.path, 500);
    const { id, secret } = await lab.register();
    await lab.start();
    await lab.sendTest(id);
    let delivery = await lab.waitForAttempts(id, 1);
    for (const [index, delay_ms] of DELAYS_MS.entries()) {
      expect(delivery.status).toBe('pending');
      expect(delivery.next_attempt_at).toBe(new Date(lab.now().getTime() + delay_ms).toISOString());
      lab.advance(delay_ms - 1);
      await lab.waitForNextPoll();
      expect(lab.receiver.receivedAt(lab.path)).toHaveLength(index + 1);
      lab.advance(1);
      delivery = await lab.waitForAttempts(id, index + 2);
    }
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    lab.advance(DAY_MS);
    await lab.waitForNextPoll();
    const sent = lab.receiver.receivedAt(lab.path);
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
    lab.receiver.next_behaviors.set(lab.path, [
      (response) => response.writeHead(status_code, { location: `${lab.path}/on` }).end(),
    ]);
    const { id } = await lab.register();
    await lab.start();
    await lab.sendTest(id);
    const delivery = await lab.waitForAttempts(id, 1);
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status_code, error: expect.any(String) }] });
    lab.advance(MINUTE_MS);
    expect(await lab.waitForAttempts(id, 2)).toMatchObject({ status: 'succeeded' });
    expect(lab.receiver.receivedAt(`${lab.path}/on`)).toEqual([]);
  });

  it.each([200, 201, 202, 299])('exclude responses with status %i', async (status_code) => {
    lab.receiver.default_behaviors.set(lab.path, status_code);
    const { id } = await lab.register();
    await lab.start();
    await lab.sendTest(id);
    expect(await lab.waitForAttempts(id, 1)).toMatchObject({
      status: 'succeeded',
      attempts: [{ status_code }],
    });
  });

  it('are not sent when the name resolves to a private address by then', async () => {
    const { id } = await lab.deliverer.register(lab.organization, `https://${lab.path.slice(1)}.rebound.test/`);
    await lab.start();
    await lab.sendTest(id);
    const [attempt] = (await lab.waitForAttempts(id, 1)).attempts;
    expect(attempt).toMatchObject({ status_code: null, error: expect.stringMatching(/private or local network/) });
  });

  it('record that the receiver closed the connection', async () => {
    lab.receiver.next_behaviors.set(lab.path, [(response) => void response.destroy()]);
    const { id } = await lab.register();
    await lab.start();
    await lab.sendTest(id);
    const [attempt] = (await lab.waitForAttempts(id, 1)).attempts;
    expect(attempt).toMatchObject({ status_code: null, error: 'The server could not be reached or broke off.' });
  });

  it('show the response as plain text', async () => {
    const answer = `<b>No</b>\u0000\u001b[31m\n\u202e${'x'.repeat(5_000)}`;
    lab.receiver.next_behaviors.set(lab.path, [(response) => void response.writeHead(500).end(answer)]);
    const { id } = await lab.register();
    await lab.start();
    await lab.sendTest(id);
    const [attempt] = (await lab.waitForAttempts(id, 1)).attempts;
    expect(attempt?.excerpt).toMatch(/^<b>No<\/b> \[31m x+$/);
    expect(attempt?.excerpt).toHaveLength(1_000);
  });

  it('can be redelivered one by one or recovered since a time, with the same event ids', async () => {
    lab.receiver.default_behaviors.set(lab.path, 503);
    const { id } = await lab.register();
    await lab.start();
    const early = await lab.sendTest(id);
    lab.advance(HOUR_MS);
    const since = lab.now().toISOString();
    const later = [await lab.sendTest(id), await lab.sendTest(id)];
    for (const delay_ms of [0, ...DELAYS_MS]) {
      lab.advance(delay_ms);
      await waitFor('every attempt', async () =>
        (await lab.listDeliveries(id)).every(
          ({ next_attempt_at }) => next_attempt_at === null || new Date(next_attempt_at) > lab.now(),
        ),
      );
    }
    lab.advance(DAY_MS);
    await waitFor('all to fail', async () => (await lab.listDeliveries(id)).every(({ status }) => status === 'failed'));
    lab.receiver.default_behaviors.set(lab.path, 204);
    const params = { endpoint_id: id };
    const { body: recovery } = await lab.organization.call('recover_webhook_endpoint', { params, body: { since } });
    expect(recovery).toEqual({ object: 'webhook_recovery', count: 2 });
    await waitFor('both', async () => (await lab.listDeliveries(id, 'succeeded')).length === 2);
    expect((await lab.listDeliveries(id, 'failed')).map((one) => one.id)).toEqual([early.id]);
    const again = await lab.organization.call('redeliver_webhook', { params: { delivery_id: early.id } });
    expect(again.body).toMatchObject({ id: early.id, event_id: early.event_id, status: 'pending' });
    expect(again.body.next_attempt_at).toBe(lab.now().toISOString());
    await waitFor('the first', async () => (await lab.listDeliveries(id, 'succeeded')).length === 3);
    const delivered = lab.receiver.receivedAt(lab.path).slice(-3);
    expect(new Set(delivered.map(({ event }) => event.id))).toEqual(
      new Set([early, ...later].map(({ event_id }) => event_id)),
    );
    const { body } = await lab.organization.call('recover_webhook_endpoint', {
      params,
      body: { since: '2020-01-01T00:00:00Z' },
    });
    expect(body.count).toBe(0);
  });

  it('are counted and recovered while they are still being retried', async () => {
    lab.receiver.default_behaviors.set(lab.path, 503);
    const { id } = await lab.register();
    await lab.start();
    const params = { endpoint_id: id };
    const early = await lab.sendTest(id);
    await lab.waitForAttempts(id, 1);
    lab.advance(HOUR_MS / 2);
    const since = lab.now().toISOString();
    const later = await lab.sendTest(id);
    await waitFor('an attempt of each', async () =>
      (await lab.listDeliveries(id)).every(
        ({ attempts, next_attempt_at }) =>
          attempts.length > 0 && next_attempt_at !== null && new Date(next_attempt_at) > lab.now(),
      ),
    );
    expect((await lab.listDeliveries(id)).map(({ status }) => status)).toEqual(['pending', 'pending']);
    const before = await lab.listDeliveries(id);
    const recover = async (body: { since: string; dry_run?: boolean }) =>
      (await lab.organization.call('recover_webhook_endpoint', { params, body })).body;
    expect(await recover({ since, dry_run: true })).toEqual({ object: 'webhook_recovery', count: 1 });
    expect(await recover({ since: '2020-01-01T00:00:00Z', dry_run: true })).toMatchObject({ count: 2 });
    expect(await lab.listDeliveries(id)).toEqual(before);

    lab.receiver.default_behaviors.set(lab.path, 204);
    expect(await recover({ since })).toEqual({ object: 'webhook_recovery', count: 1 });
    await waitFor('the later one', async () => (await lab.listDeliveries(id, 'succeeded')).length === 1);
    expect((await lab.listDeliveries(id, 'succeeded')).map((one) => one.id)).toEqual([later.id]);
    expect((await lab.listDeliveries(id, 'pending')).map((one) => one.id)).toEqual([early.id]);
    expect(await recover({ since: '2020-01-01T00:00:00Z' })).toMatchObject({ count: 1 });
    await waitFor('both', async () => (await lab.listDeliveries(id, 'succeeded')).length === 2);
    expect(await recover({ since: '2020-01-01T00:00:00Z', dry_run: true })).toMatchObject({ count: 0 });
  });

  it('cause a warning after 5 days and switch the endpoint off after 14 days', async () => {
    lab.receiver.default_behaviors.set(lab.path, 500);
    const { id } = await lab.register();
    const params = { endpoint_id: id };
    await lab.start();
    const failOnce = async () => {
      const { id: delivery_id } = await lab.sendTest(id);
      await waitFor('an attempt', async () => {
        const found = (await lab.listDeliveries(id)).find((one) => one.id === delivery_id);
        return found?.attempts.length;
      });
    };
    await failOnce();
    const failing_since = (await lab.readEndpoint(id))?.health?.failing_since;
    expect(await lab.readEndpoint(id)).toMatchObject({
      status: 'enabled',
      last_delivery_status: 'pending',
      health: { attempts: 1, failed_attempts: 1, failing_since: lab.now().toISOString(), warning: null },
    });
    lab.advance(5 * DAY_MS);
    await failOnce();
    const warned = await lab.readEndpoint(id);
    expect(warned).toMatchObject({ status: 'enabled', health: { failing_since } });
    expect(warned?.health?.warning).toMatch(/^No delivery has been acknowledged since .*switched off after/);
    lab.advance(9 * DAY_MS - 1);
    await failOnce();
    expect((await lab.readEndpoint(id))?.status).toBe('enabled');
    lab.advance(1);
    await failOnce();
    const off = await waitFor('the switch', async () => {
      const endpoint = await lab.readEndpoint(id);
      return endpoint?.status === 'disabled' && endpoint;
    });
    expect(off.health).toMatchObject({
      disabled_at: lab.now().toISOString(),
      warning: expect.stringMatching(/switched off/),
    });
    await waitFor('nothing to be sent', async () => (await lab.listDeliveries(id, 'pending')).length === 0);
    const since = '2020-01-01T00:00:00Z';
    expect((await lab.organization.callError('test_webhook_endpoint', { params })).error.code).toBe(
      'webhook_endpoint_disabled',
    );
    expect((await lab.organization.callError('recover_webhook_endpoint', { params, body: { since } })).status).toBe(
      409,
    );
    await lab.workers.start();
    const missed = await lab.workers.create(lab.organization, 'a picture');
    await lab.workers.waitForStatus(lab.organization, missed.id, 'succeeded');
    const [kept] = await lab.listDeliveries(id);
    expect(kept).toMatchObject({ generation_id: missed.id, status: 'failed', attempts: [] });

    lab.receiver.default_behaviors.set(lab.path, 204);
    const { body: on } = await lab.organization.call('enable_webhook_endpoint', { params });
    expect(on).toMatchObject({
      status: 'enabled',
      health: { failing_since: null, disabled_at: null, warning: null },
    });
    const failed = await lab.listDeliveries(id, 'failed');
    const { body } = await lab.organization.call('recover_webhook_endpoint', { params, body: { since } });
    expect(body.count).toBe(failed.length);
    await waitFor('all of it', async () => (await lab.listDeliveries(id)).every((one) => one.status === 'succeeded'));
    expect(lab.receiver.receivedAt(lab.path).some(({ event }) => event.data.object.id === missed.id)).toBe(true);
  });
});
