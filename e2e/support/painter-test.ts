import { type Painter, startPainter } from './painter.ts';
import { test as base } from './test.ts';

/** With a service elsewhere that makes the pictures of one model; see `startPainter`. */
export const test = base.extend<object, { painter: Painter }>({
  painter: [
    async ({}, use) => {
      const painter = await startPainter();
      await use(painter);
      await painter.close();
    },
    { scope: 'worker' },
  ],
  environment: async ({ painter }, use) => use(painter.environment),
});
