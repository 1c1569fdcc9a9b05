import type { Page } from '@playwright/test';
import { postGeneration, waitForGeneration } from './support/api-client.ts';
import { resultRegion } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const PROMPT = 'A lighthouse on a basalt cliff at dusk';
for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [820, 1180],
  [390, 844],
] as const)
  test(`covers no control of Create at ${width} × ${height}`, async ({ page, service }) => {
    await page.setViewportSize({ width, height });
    const { id } = await postGeneration(service, {
      task: 'image.create',
      model: 'imgmodel-b-2-lite',
      input: { prompt: PROMPT },
    });
    await waitForGeneration(service, id);
    await openSignedIn(page, service, '/create/image.create/imgmodel-a-2');
    const tile = page.getByRole('region', { name: 'Your work' }).locator('[data-tile]').first();
    await expect(tile).toBeVisible();
    expect(await findCoveredControls(page)).toEqual([]);
    await tile.click();
    await expect(resultRegion(page).getByRole('link', { name: 'Download' })).toBeVisible();
    expect(await findCoveredControls(page)).toEqual([]);
  });

/** Names the controls that cannot be pressed in their middle, each brought into view. */
const findCoveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // The skip link comes into view with the focus.
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a[href]:not([href="#main"]), input, select, textarea, summary',
    );
    return [...controls].flatMap((control) => {
      if (!control.checkVisibility({ visibilityProperty: true })) return [];
      control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const { left, top, width, height } = control.getBoundingClientRect();
      // For screen readers or the file dialog only.
      if (width <= 1 || height <= 1) return [];
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      const isReached = hit !== null && (control.contains(hit) || hit.closest('label')?.contains(control));
      return isReached ? [] : [control.getAttribute('aria-label') ?? control.textContent];
    });
  });

test('shows what a model made last, and the starred and last models first', async ({ page, service }) => {
  const { id } = await postGeneration(service, {
    task: 'image.create',
    model: 'imgmodel-b-pro',
    input: { prompt: PROMPT },
  });
  await waitForGeneration(service, id);
  await openSignedIn(page, service, '/create/image.create/imgmodel-b-2');
  const openModels = () => page.getByRole('button', { name: /^Model:/ }).click();
  const cards = page.getByRole('dialog', { name: 'Models' }).getByRole('listitem');
  await openModels();
  await expect(cards.first()).toContainText('ImgModel B 2');
  const pro = cards.filter({ hasText: 'ImgModel B Pro' });
  await expect(pro.locator('img')).toBeVisible();
  // The page says it once.
  await expect(page.getByText('Preview', { exact: true })).toHaveCount(1);
  await expect(pro).toContainText('Best for layouts, infographics and text');
  await pro.getByRole('button', { name: 'Star ImgModel B Pro' }).click();
  await page.keyboard.press('Escape');
  await openModels();
  await expect(cards.nth(0)).toContainText('ImgModel B Pro');
  await expect(cards.nth(1)).toContainText('ImgModel B 2');
});
