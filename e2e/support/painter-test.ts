import { type Painter, startPainter } from './painter.ts';
import { test as base } from './test.ts';

/** With a service elsewhere that makes the pictures of one model; see `startPainter`. */
export const test = base.extend<object, { painter: Painter }>({
  painter: [
    // The tool insists on a pattern here, even where nothing is taken out of it.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const painter = await startPainter();
      await use(painter);
      await painter.close();
    },
    { scope: 'worker' },
  ],
  environment: async ({ painter }, use) => use(painter.environment),
});
