import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, test } from './support/test.ts';
import { walkViews } from './support/walk-views.ts';

test.use({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });

// Each page as it opens; a11y.more.spec.ts looks at dialogs, menus, the other theme and widths.
walkViews(
  async (page, views) => {
    for (const view of views) {
      if (view.open !== undefined || view.only === 'narrow') continue;
      await test.step(view.name, async () => {
        await page.goto(view.path);
        await view.reach(page);
        expect.soft(await findA11yViolations(page), view.name).toEqual([]);
      });
    }
  },
  { parts: 1 },
);
