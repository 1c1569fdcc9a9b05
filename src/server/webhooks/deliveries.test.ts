import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebhookEvent } from '#contract/resources/webhook.ts';
import { verifyWebhook } from '#contract/signature.ts';
import { type Studio, onBothDatabases } from '../generations/testing/both-databases.ts';
import { createScriptedEngine } from '../generations/testing/scripted-engine.ts';
import { waitFor } from '../generations/testing/wait-for.ts';
import { createWorkerBench } from '../generations/testing/worker-bench.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';
import { createWebhookBench } from './testing/webhook-bench.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

onBothDatabases(
  'deliveries',
  () => ({ fetcher: receiver.fetcher, engines: [createScriptedEngine()] }),
  (service) => {
    const bench = createWebhookBench(service);
    const workers = createWorkerBench(service);
    let studio: Studio;
    let path: string;
    let count = 0;
    beforeEach(async () => {
      studio = await service.openStudio('10');
      path = `/hook-${(count += 1)}-${Date.now()}`;
    });
    afterEach(async () => {
      receiver.release();
      await bench.stop();
      await workers.stop();
    });

    const clock = { advance: (ms: number) => service.get().deps.clock.advance(ms) };
    const now = () => service.get().deps.clock.now();
    const sendTest = async (endpoint_id: string) =>
      (await studio.call('test_webhook_endpoint', { params: { endpoint_id } })).body;
    const endpointOf = async (id: string) => {
      const { body } = await studio.call('list_webhook_endpoints');
      return body.data.find((endpoint) => endpoint.id === id);
    };
    const arrived = (times: number) => waitFor(`${times} at ${path}`, async () => receiver.at(path).length >= times);
    /** Long enough for anything due to have been seen. */
    const looksAgain = async () => {
      const other = await bench.register(studio, receiver.url(`${path}/other`));
      await sendTest(other.id);
      await bench.attempted(studio, other.id, 1);
      await studio.call('delete_webhook_endpoint', { params: { endpoint_id: other.id } });
    };

    describe('of what happens to a generation', () => {
      it('carry it as it is, signed, to those who subscribe', async () => {
        const { id, secret } = await bench.register(studio, receiver.url(path), ['generation.succeeded']);
        const deaf = await bench.register(studio, receiver.url(`${path}/deaf`), ['generation.manual_review']);
        await workers.start();
        const made = await workers.create(studio, 'a picture');
        await workers.reach(studio, made.id, 'succeeded');
        const broken = await workers.create(studio, 'fail');
        await workers.reach(studio, broken.id, 'failed');
        const delivery = await bench.attempted(studio, id, 1);
        const [sent] = receiver.at(path);
        expect(WebhookEvent.parse(sent?.event)).toEqual({
          id: delivery.event_id,
          type: 'generation.succeeded',
          created_at: delivery.created_at,
          data: { object: await workers.read(studio, made.id) },
        });
        expect(sent?.event.data.object.output.assets).toHaveLength(1);
        expect(sent?.headers['service-event-id']).toBe(delivery.event_id);
        expect(sent?.headers['content-type']).toBe('application/json');
        const header = String(sent?.headers['service-signature']);
        expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
        expect((await verifyWebhook({ secret, header, body: sent?.body ?? '', now: now() })).problem).toBeNull();
        expect(delivery).toMatchObject({
          status: 'succeeded',
          next_attempt_at: null,
          generation_id: made.id,
          test: false,
        });
        expect(delivery.attempts).toMatchObject([{ status_code: 204, error: null, excerpt: null }]);
        expect(receiver.at(path)).toHaveLength(1);
        expect(await bench.deliveries(studio, deaf.id)).toEqual([]);
      });

      it('tell of failures, and of no cancel', async () => {
        const { id } = await bench.register(studio, receiver.url(path));
        await workers.start();
        const canceled = await workers.create(studio, 'hang');
        await workers.reach(studio, canceled.id, 'running');
        await studio.call('cancel_generation', { params: { generation_id: canceled.id } });
        const failed = await workers.create(studio, 'fail');
        await workers.reach(studio, failed.id, 'failed');
        await arrived(1);
        const events = receiver.at(path).map(({ event }) => [event.type, event.data.object.id]);
        expect(events).toEqual([['generation.failed', failed.id]]);
        expect(receiver.at(path)[0]?.event.data.object).toMatchObject({ status: 'failed', error: { retryable: true } });
        expect(await bench.deliveries(studio, id)).toHaveLength(1);
      });

      it('come to the own organization alone', async () => {
        const stranger = await service.openStudio('1');
        const { id } = await bench.register(stranger, receiver.url(path));
        await workers.start();
        const made = await workers.create(studio, 'a picture');
        await workers.reach(studio, made.id, 'succeeded');
        expect(await bench.deliveries(stranger, id)).toEqual([]);
      });
    });

    describe('that fail', () => {
      it('are tried again after 1 m, 5 m, 30 m, 2 h and 12 h, with the same event and a fresh time, and never a seventh time', async () => {
        receiver.always.set(path, 500);
        const { id, secret } = await bench.register(studio, receiver.url(path));
        await bench.start();
        await sendTest(id);
        let delivery = await bench.attempted(studio, id, 1);
        for (const [index, delay_ms] of DELAYS_MS.entries()) {
          expect(delivery.status).toBe('pending');
          expect(delivery.next_attempt_at).toBe(new Date(now().getTime() + delay_ms).toISOString());
          clock.advance(delay_ms - 1);
          await looksAgain();
          expect(receiver.at(path)).toHaveLength(index + 1);
          clock.advance(1);
          delivery = await bench.attempted(studio, id, index + 2);
        }
        expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
        clock.advance(DAY_MS);
        await looksAgain();
        const sent = receiver.at(path);
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
          error: 'The receiver answered with status 500; any from 200 to 299 acknowledges.',
          excerpt: 'The answer 500',
        });
      });

      it.each([301, 307, 400, 404, 410, 429])('are those that are answered with %i', async (status_code) => {
        receiver.acts.set(path, [(response) => response.writeHead(status_code, { location: `${path}/on` }).end()]);
        const { id } = await bench.register(studio, receiver.url(path));
        await bench.start();
        await sendTest(id);
        const delivery = await bench.attempted(studio, id, 1);
        expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status_code, error: expect.any(String) }] });
        clock.advance(MINUTE_MS);
        expect(await bench.attempted(studio, id, 2)).toMatchObject({ status: 'succeeded' });
        expect(receiver.at(`${path}/on`)).toEqual([]);
      });

      it.each([200, 201, 202, 299])('are not those that are answered with %i', async (status_code) => {
        receiver.always.set(path, status_code);
        const { id } = await bench.register(studio, receiver.url(path));
        await bench.start();
        await sendTest(id);
        expect(await bench.attempted(studio, id, 1)).toMatchObject({
          status: 'succeeded',
          attempts: [{ status_code }],
        });
      });

      it('go nowhere where the name leads inside by now', async () => {
        const { id } = await bench.register(studio, `https://${path.slice(1)}.rebound.test/`);
        await bench.start();
        await sendTest(id);
        const [attempt] = (await bench.attempted(studio, id, 1)).attempts;
        expect(attempt).toMatchObject({ status_code: null, error: expect.stringMatching(/private or local network/) });
      });

      it('say so where the receiver hangs up', async () => {
        receiver.acts.set(path, [(response) => void response.destroy()]);
        const { id } = await bench.register(studio, receiver.url(path));
        await bench.start();
        await sendTest(id);
        const [attempt] = (await bench.attempted(studio, id, 1)).attempts;
        expect(attempt).toMatchObject({ status_code: null, error: 'The server could not be reached or broke off.' });
      });

      it('show the answer as plain text', async () => {
        const answer = `<b>No</b>\u0000\u001b[31m\n\u202e${'x'.repeat(5_000)}`;
        receiver.acts.set(path, [(response) => void response.writeHead(500).end(answer)]);
        const { id } = await bench.register(studio, receiver.url(path));
        await bench.start();
        await sendTest(id);
        const [attempt] = (await bench.attempted(studio, id, 1)).attempts;
        expect(attempt?.excerpt).toMatch(/^<b>No<\/b> \[31m x+$/);
        expect(attempt?.excerpt).toHaveLength(1_000);
      });

      it('are sent again by hand, one or all since a time, as the same events', async () => {
        receiver.always.set(path, 503);
        const { id } = await bench.register(studio, receiver.url(path));
        await bench.start();
        const early = await sendTest(id);
        clock.advance(HOUR_MS);
        const since = now().toISOString();
        const later = [await sendTest(id), await sendTest(id)];
        for (const delay_ms of [0, ...DELAYS_MS]) {
          clock.advance(delay_ms);
          await waitFor('every attempt', async () =>
            (await bench.deliveries(studio, id)).every(
              ({ next_attempt_at }) => next_attempt_at === null || new Date(next_attempt_at) > now(),
            ),
          );
        }
        clock.advance(DAY_MS);
        await waitFor('all to fail', async () =>
          (await bench.deliveries(studio, id)).every(({ status }) => status === 'failed'),
        );
        receiver.always.set(path, 204);
        const params = { endpoint_id: id };
        const { body: recovery } = await studio.call('recover_webhook_endpoint', { params, body: { since } });
        expect(recovery).toEqual({ object: 'webhook_recovery', count: 2 });
        await waitFor('both', async () => (await bench.deliveries(studio, id, 'succeeded')).length === 2);
        expect((await bench.deliveries(studio, id, 'failed')).map((one) => one.id)).toEqual([early.id]);
        const again = await studio.call('redeliver_webhook', { params: { delivery_id: early.id } });
        expect(again.body).toMatchObject({ id: early.id, event_id: early.event_id, status: 'pending' });
        expect(again.body.next_attempt_at).toBe(now().toISOString());
        await waitFor('the first', async () => (await bench.deliveries(studio, id, 'succeeded')).length === 3);
        const delivered = receiver.at(path).slice(-3);
        expect(new Set(delivered.map(({ event }) => event.id))).toEqual(
          new Set([early, ...later].map(({ event_id }) => event_id)),
        );
        const { body } = await studio.call('recover_webhook_endpoint', {
          params,
          body: { since: '2020-01-01T00:00:00Z' },
        });
        expect(body.count).toBe(0);
      });
    });

    it('that hang take two places and no more, and go on when one is free', async () => {
      receiver.always.set(path, 'hang');
      const { id } = await bench.register(studio, receiver.url(path));
      for (let times = 0; times < 5; times += 1) await sendTest(id);
      await bench.start();
      await waitFor('two to hang', async () => receiver.waiting(path) === 2);
      await looksAgain();
      expect(receiver.at(path)).toHaveLength(2);
      receiver.always.set(path, 204);
      receiver.release();
      await waitFor('all five', async () => (await bench.deliveries(studio, id, 'succeeded')).length === 5);
      expect([receiver.at(path).length, receiver.most_waiting(path)]).toEqual([5, 2]);
    });

    it('are cut off after 10 seconds in all', async () => {
      receiver.acts.set(path, ['hang']);
      const { id } = await bench.register(studio, receiver.url(path));
      await bench.start();
      await sendTest(id);
      await arrived(1);
      const began_ms = performance.now();
      const delivery = await waitFor(
        'the end',
        async () => (await bench.deliveries(studio, id)).find(({ attempts }) => attempts.length === 1),
        20_000,
      );
      expect(performance.now() - began_ms).toBeGreaterThan(8_000);
      const [attempt] = delivery.attempts;
      expect(attempt).toMatchObject({ status_code: null, error: 'The receiver did not answer within 10 seconds.' });
      expect(attempt?.latency_ms).toBeGreaterThanOrEqual(9_900);
    }, 30_000);

    it('are signed by both secrets for a day after a rotation', async () => {
      const { id, secret: old } = await bench.register(studio, receiver.url(path));
      const params = { endpoint_id: id };
      const { body: rotated } = await studio.call('rotate_webhook_secret', { params });
      const until = new Date(now().getTime() + DAY_MS).toISOString();
      expect(rotated).toMatchObject({ id, previous_secret_expires_at: until });
      expect(rotated.secret).not.toBe(old);
      expect((await endpointOf(id))?.previous_secret_expires_at).toBe(until);
      await bench.start();
      const verdicts = async () => {
        const sent = receiver.at(path).at(-1);
        const header = String(sent?.headers['service-signature']);
        const judged = [old, rotated.secret].map((secret) =>
          verifyWebhook({ secret, header, body: sent?.body ?? '', now: now() }),
        );
        return (await Promise.all(judged)).map(({ problem }) => problem);
      };
      await sendTest(id);
      await arrived(1);
      expect(await verdicts()).toEqual([null, null]);
      clock.advance(DAY_MS);
      await sendTest(id);
      await arrived(2);
      expect(await verdicts()).toEqual(['signature', null]);
      expect((await endpointOf(id))?.previous_secret_expires_at).toBeNull();
    });

    it('that fail for 5 days bring a warning; for 14 days, and the endpoint is switched off until someone recovers it', async () => {
      receiver.always.set(path, 500);
      const { id } = await bench.register(studio, receiver.url(path));
      const params = { endpoint_id: id };
      await bench.start();
      const failOnce = async () => {
        const { id: delivery_id } = await sendTest(id);
        await waitFor('an attempt', async () => {
          const found = (await bench.deliveries(studio, id)).find((one) => one.id === delivery_id);
          return found?.attempts.length;
        });
      };
      await failOnce();
      const failing_since = (await endpointOf(id))?.health?.failing_since;
      expect(await endpointOf(id)).toMatchObject({
        status: 'enabled',
        last_delivery_status: 'pending',
        health: { attempts: 1, failed_attempts: 1, failing_since: now().toISOString(), warning: null },
      });
      clock.advance(5 * DAY_MS);
      await failOnce();
      const warned = await endpointOf(id);
      expect(warned).toMatchObject({ status: 'enabled', health: { failing_since } });
      expect(warned?.health?.warning).toMatch(/^Nothing was acknowledged since .*switched off after/);
      clock.advance(9 * DAY_MS - 1);
      await failOnce();
      expect((await endpointOf(id))?.status).toBe('enabled');
      clock.advance(1);
      await failOnce();
      const off = await waitFor('the switch', async () => {
        const endpoint = await endpointOf(id);
        return endpoint?.status === 'disabled' && endpoint;
      });
      expect(off.health).toMatchObject({
        disabled_at: now().toISOString(),
        warning: expect.stringMatching(/switched off/),
      });
      await waitFor('nothing to be sent', async () => (await bench.deliveries(studio, id, 'pending')).length === 0);
      const since = '2020-01-01T00:00:00Z';
      expect((await studio.refuse('test_webhook_endpoint', { params })).error.code).toBe('webhook_endpoint_disabled');
      expect((await studio.refuse('recover_webhook_endpoint', { params, body: { since } })).status).toBe(409);
      await workers.start();
      const missed = await workers.create(studio, 'a picture');
      await workers.reach(studio, missed.id, 'succeeded');
      const [kept] = await bench.deliveries(studio, id);
      expect(kept).toMatchObject({ generation_id: missed.id, status: 'failed', attempts: [] });

      receiver.always.set(path, 204);
      const { body: on } = await studio.call('enable_webhook_endpoint', { params });
      expect(on).toMatchObject({
        status: 'enabled',
        health: { failing_since: null, disabled_at: null, warning: null },
      });
      const failed = await bench.deliveries(studio, id, 'failed');
      const { body } = await studio.call('recover_webhook_endpoint', { params, body: { since } });
      expect(body.count).toBe(failed.length);
      await waitFor('all of it', async () =>
        (await bench.deliveries(studio, id)).every((one) => one.status === 'succeeded'),
      );
      expect(receiver.at(path).some(({ event }) => event.data.object.id === missed.id)).toBe(true);
    });

    it('are listed page by page and by status, and read with what is sent', async () => {
      const { id } = await bench.register(studio, receiver.url(path), ['generation.failed']);
      const made = [await sendTest(id), await sendTest(id), await sendTest(id)].map((one) => one.id);
      const params = { endpoint_id: id };
      const first = (await studio.call('list_webhook_deliveries', { params, query: { limit: 2 } })).body;
      const query = { limit: 2, cursor: first.next_cursor ?? '' };
      const second = (await studio.call('list_webhook_deliveries', { params, query })).body;
      expect([...first.data, ...second.data].map((one) => one.id)).toEqual(made.toReversed());
      expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
      expect((await studio.refuse('list_webhook_deliveries', { params, query: { cursor: 'AAAA.BBBB' } })).status).toBe(
        400,
      );
      expect(await bench.deliveries(studio, id, 'failed')).toEqual([]);
      const delivery_id = made[0] ?? '';
      const { body } = await studio.call('get_webhook_delivery', { params: { delivery_id } });
      expect(body).toMatchObject({
        id: delivery_id,
        test: true,
        status: 'pending',
        payload: { type: 'generation.failed', data: { object: { status: 'failed', metadata: { test: 'true' } } } },
      });
      expect(body.payload.id).toBe(body.event_id);
    });
  },
);
