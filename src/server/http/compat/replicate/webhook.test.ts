import Replicate, { type Prediction, validateWebhook } from 'replicate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#server/studio/webhooks/testing/webhook-receiver.ts';

let receiver: WebhookReceiver;
let service: TestService;
let worker: Worker;
let client: Replicate;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await createTestService({ engines: [createScriptedEngine()], fetcher: receiver.fetcher });
  worker = await startWorker(service.deps);
  const baseUrl = `${await service.listen()}/compat/replicate/v1`;
  client = new Replicate({ auth: service.keys.organization, baseUrl });
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await receiver.close();
});

it.each([
  [undefined, ['completed', 'started']],
  [['completed', 'output', 'logs'], ['completed']],
] as const)('of a prediction with the events %j receives %j, signed for the client', async (events, expected) => {
  const path = `/hook-${expected.length}`;
  const { id } = await client.predictions.create({
    model: 'openai/gpt-image-2',
    input: { prompt: 'a pier' },
    webhook: receiver.url(path),
    ...(events ? { webhook_events_filter: [...events] } : {}),
  });
  await expect.poll(() => receiver.receivedAt(path)).toHaveLength(expected.length);
  const { key } = await client.webhooks.default.secret.get();
  const received = receiver.receivedAt(path);
  for (const { headers, body } of received) {
    const request = new Request('https://hooks.test/', { method: 'POST', headers: headers as never, body });
    expect(await validateWebhook(request, key)).toBe(true);
    expect((JSON.parse(body) as Prediction).id).toBe(id);
  }
  expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    expected.map((event) => `msg_${id}_${event}`),
  );
  const last = received.find(({ headers }) => headers['webhook-id'] === `msg_${id}_completed`);
  expect(JSON.parse(last?.body ?? '{}')).toMatchObject({ status: 'succeeded', output: [expect.any(String)] });
});
