import { type FakeWebhookReceiver, startFakeWebhookReceiver } from './fake-webhook-receiver.ts';
import { test as base } from './test.ts';

/** With another system on this machine that the service may tell of what is made; see `startFakeWebhookReceiver`. */
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
