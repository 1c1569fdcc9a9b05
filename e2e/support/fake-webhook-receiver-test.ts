import { type FakeWebhookReceiver, startFakeWebhookReceiver } from './fake-webhook-receiver.ts';
import { test as base } from './test.ts';

/** Tests with a webhook receiver on this machine; see `startFakeWebhookReceiver`. */
export const test = base.extend<object, { receiver: FakeWebhookReceiver }>({
  receiver: [
    async ({}, use) => {
      const receiver = await startFakeWebhookReceiver();
      await use(receiver);
      await receiver.close();
    },
    { scope: 'worker' },
  ],
  environment: async ({ receiver }, use) => use(receiver.environment),
});
