import { afterAll, expect, it } from 'vitest';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { startWebhookReceiver } from '#server/studio/webhooks/testing/webhook-receiver.ts';
import { falFixture } from './testing/fal-fixture.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());
const fal = falFixture({ fetcher: receiver.fetcher });
const IMAGE = 'fal-ai/nano-banana-2';

const readDelivery = (path: string) =>
  waitFor(`a delivery at ${path}`, async () => {
    const [delivery] = receiver.receivedAt(path);
    return delivery && (JSON.parse(delivery.body) as Record<string, unknown>);
  });

it('gets the result of an order of the client', async () => {
  const { request_id } = await fal.client.queue.submit(IMAGE, {
    input: { prompt: 'a lighthouse' },
    webhookUrl: receiver.url('/done'),
  });
  expect(await readDelivery('/done')).toMatchObject({
    request_id,
    gateway_request_id: request_id,
    status: 'OK',
    payload: { images: [{ url: expect.stringContaining(`${fal.url}/media/ast_`) }] },
  });
});

it('gets a failure', async () => {
  const submitted = await fal.fetch('POST', `/queue/${IMAGE}?fal_webhook=${receiver.url('/failed')}`, {
    prompt: 'fail here',
  });
  expect(submitted.status).toBe(200);
  expect(await readDelivery('/failed')).toMatchObject({
    status: 'ERROR',
    error: expect.stringContaining('The scripted engine was told to fail.'),
  });
});
