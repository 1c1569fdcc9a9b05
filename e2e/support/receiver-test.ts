import { type Receiver, startReceiver } from './receiver.ts';
import { test as base } from './test.ts';

/** With another system on this machine that the service may tell of what is made; see `startReceiver`. */
export const test = base.extend<object, { receiver: Receiver }>({
  receiver: [
    async ({}, use) => {
      const receiver = await startReceiver();
      await use(receiver);
      await receiver.close();
    },
    { scope: 'worker' },
  ],
  environment: async ({ receiver }, use) => use(receiver.environment),
});
