import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { type ReceivedDelivery, type WebhookReceiver, startWebhookReceiver } from './testing/webhook-receiver.ts';
import { createDelivererFixture } from './testing/deliverer-fixture.ts';

// An independent verifier of the same scheme checks the deliveries.

let receiver: WebhookReceiver;
let sent: ReceivedDelivery;
let secret: string;
let otherSecret: string;
const service = useSharedService(async () => {
  receiver = await startWebhookReceiver();
  return { fetcher: receiver.fetcher };
});
const deliverer = createDelivererFixture(service);
beforeAll(async () => {
  const organization = await service.createOrganization('1');
  const endpoint = await deliverer.register(organization, receiver.url('/stripe'));
  await deliverer.start();
  const params = { endpoint_id: endpoint.id };
  const rotated = (await organization.call('rotate_webhook_secret', { params })).body;
  [secret, otherSecret] = [rotated.secret, endpoint.secret];
  await organization.call('test_webhook_endpoint', { params });
  await deliverer.waitForAttempts(organization, endpoint.id, 1);
  await deliverer.stop();
  const [received] = receiver.receivedAt('/stripe');
  if (!received) throw new Error('Nothing arrived.');
  sent = received;
});
afterAll(() => receiver.close());

const { webhooks } = new Stripe('sk_test_unused');
interface Change {
  body?: (sent: string) => string;
  secret?: string;
  age_seconds?: number;
}
const judge = (given: Change = {}) => {
  const header = String(sent.headers['service-signature']);
  const signedSeconds = Number(/t=(\d+)/.exec(header)?.[1]);
  const receivedMs = (signedSeconds + (given.age_seconds ?? 0)) * 1000;
  const { body = (text: string) => text, secret: key = secret } = given;
  return webhooks.constructEvent(body(sent.body), header, key, 300, undefined, receivedMs);
};

it('is accepted by Stripe’s verifier, with either secret of a rotation, up to 300 seconds old', () => {
  expect(judge()).toEqual(JSON.parse(sent.body));
  expect(judge({ secret: otherSecret, age_seconds: 300 })).toMatchObject({ id: sent.event.id });
});

it.each<[string, Change]>([
  ['replaced', { body: () => '{"id":"evt_1"}' }],
  ['tampered with in one byte', { body: (text) => text.replace('generation', 'Generation') }],
  ['signed with another secret', { secret: 'whsec_another' }],
])('is rejected when it is %s', (_name, change) => {
  expect(() => judge(change)).toThrow(/No signatures found/);
});

it('is rejected when it is 301 seconds old', () => {
  expect(() => judge({ age_seconds: 301 })).toThrow(/outside the tolerance/);
});
