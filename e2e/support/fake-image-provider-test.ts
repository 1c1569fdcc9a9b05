import { type FakeImageProvider, startFakeImageProvider } from './fake-image-provider.ts';
import { test as base } from './test.ts';

/** Tests with a fake provider that creates the images of one model; see `startFakeImageProvider`. */
export const test = base.extend<object, { painter: FakeImageProvider }>({
  painter: [
    async ({}, use) => {
      const painter = await startFakeImageProvider();
      await use(painter);
      await painter.close();
    },
    { scope: 'worker' },
  ],
  environment: async ({ painter }, use) => use(painter.environment),
});
