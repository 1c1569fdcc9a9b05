import { afterAll, beforeAll, expect, it } from 'vitest';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';
import { type WebhookReceiver, startWebhookReceiver } from './testing/webhook-receiver.ts';
import { createDelivererFixture } from './testing/deliverer-fixture.ts';

/** Instead of the ten seconds of the service. */
const TIMEOUT_MS = 1_000;
const requestedTimeouts: number[] = [];

let receiver: WebhookReceiver;
const service = useSharedService(async () => {
  receiver = await startWebhookReceiver();
  const post: Fetcher['post'] = (url, options) => {
    requestedTimeouts.push(options.timeoutMs);
    return receiver.fetcher.post(url, { ...options, timeoutMs: TIMEOUT_MS });
  };
  return { fetcher: { ...receiver.fetcher, post } };
});
const deliverer = createDelivererFixture(service);
beforeAll(() => deliverer.start());
afterAll(async () => {
  await deliverer.stop();
  await receiver.close();
});

it('aborts a delivery after 10 seconds in total', async () => {
  receiver.defaultBehaviors.set('/slow', 'hang');
  const organization = await service.createOrganization('1');
  const { id } = await deliverer.register(organization, receiver.url('/slow'));
  await organization.call('test_webhook_endpoint', { params: { endpoint_id: id } });
  await waitFor('it to arrive', async () => receiver.receivedAt('/slow').length > 0);
  const ended = async () =>
    (await deliverer.listDeliveries(organization, id)).find(({ attempts }) => attempts.length === 1);
  const { attempts } = await waitFor('the end', ended);
  const [attempt] = attempts;
  expect(attempt).toMatchObject({ status_code: null, error: 'The receiver did not respond within 10 seconds.' });
  expect(attempt?.latency_ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 10);
  expect(requestedTimeouts).toEqual([10_000]);
});
