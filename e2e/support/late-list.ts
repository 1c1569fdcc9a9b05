import { expect, type Locator, type Page } from '@playwright/test';

const top = async (rows: Locator) => Math.round((await rows.first().boundingBox())?.y ?? Number.NaN);

/** Checks that rows replace their skeletons without moving, at the width of a desktop and of a phone. */
export async function expectRowsInPlace(page: Page, path: string, requests: RegExp): Promise<void> {
  const usual = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const size of [usual, { width: 390, height: 844 }]) {
    const late = Promise.withResolvers<undefined>();
    await page.route(requests, async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.setViewportSize(size);
    await page.goto(path);
    const skeletons = page.getByRole('main').locator('[aria-busy="true"] > [aria-hidden="true"] > div');
    await expect(skeletons.first()).toBeVisible();
    const expected = await top(skeletons);
    late.resolve(undefined);
    // Not those of a navigation beside the list.
    const rows = page.getByRole('main').locator('li:not(nav li)');
    await expect(rows.first()).toBeVisible();
    expect(await top(rows), `${path} at ${size.width} px`).toBe(expected);
    await page.unroute(requests);
  }
  await page.setViewportSize(usual);
}
