import type { Page } from '@playwright/test';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import { expect, test } from './support/test.ts';
import type { View } from './support/view.ts';
import { walkViews } from './support/walk-views.ts';

const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const SCHEMES = { wide: 'light', narrow: 'dark' } as const;
const NARROWEST_PX = 360;

/** Pages as they open are examined wide by a11y.spec.ts. */
const hasWide = ({ only, open }: View): boolean => only === 'wide' || (only === undefined && open !== undefined);

async function load(page: Page, view: View, width: keyof typeof WIDTHS): Promise<void> {
  await page.setViewportSize(WIDTHS[width]);
  await page.emulateMedia({ colorScheme: SCHEMES[width] });
  await page.goto(view.path);
  await view.open?.(page);
  await view.reach(page);
}

async function examineWide(page: Page, view: View): Promise<void> {
  await load(page, view, 'wide');
  expect.soft(await findA11yViolations(page), `${view.name}, wide`).toEqual([]);
  if (view.only !== 'wide') return;
  await turn(page, 'dark');
  expect.soft(await findA11yViolations(page, ['color-contrast']), `${view.name}, dark`).toEqual([]);
}

async function examineNarrow(page: Page, view: View): Promise<void> {
  if (!hasWide(view) || view.loadsTwice) await load(page, view, 'narrow');
  else {
    await page.setViewportSize(WIDTHS.narrow);
    await turn(page, SCHEMES.narrow);
    await view.reach(page);
  }
  expect.soft(await findA11yViolations(page), `${view.name}, narrow`).toEqual([]);
  await page.setViewportSize({ width: NARROWEST_PX, height: 740 });
  const widePx = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(widePx, `${view.name}: how wide it is at ${NARROWEST_PX} px`).toBeLessThanOrEqual(NARROWEST_PX);
}

/**
 * Looks at each view in full: wide in light, narrow in the dark, and how narrow it gets. What exists wide only has its
 * colors checked in the dark too. `a11y.spec.ts` looks at pages as they open.
 */
async function examineAll(page: Page, views: readonly View[]): Promise<void> {
  for (const view of views)
    await test.step(view.name, async () => {
      if (hasWide(view)) await examineWide(page, view);
      if (view.only !== 'wide') await examineNarrow(page, view);
    });
}

walkViews(examineAll, { parts: 4 });
