import type { Page } from '@playwright/test';
import { connectFal, test } from './support/fake-fal-test.ts';
import { seedLongWords } from './support/long-words.ts';
import { expect, openSignedIn } from './support/test.ts';

test.describe.configure({ timeout: 600_000 });

/** Visited all the same: the organization's name is around them. */
const WORDLESS_PATHS = ['/providers', '/account'];
const WIDTHS_PX = [1280, 390];
const WORD = /Wortungetüm|Wuuu|ortunget/;

/** Whether the page is as wide as the window; else the innermost elements that reach beyond it. */
const findWidening = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= innerWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 0.5,
    );
    const inner = wide.filter((element) => ![...element.children].some((child) => wide.includes(child)));
    return [`${scrollWidth} px`, ...inner.slice(0, 4).map((element) => element.outerHTML.slice(0, 240))];
  });

test('long words widen no page, at 1280 and 390 px', async ({ page, service, fal }) => {
  const { paths, sharePath } = await seedLongWords(service, await connectFal(service, fal));
  const softly = expect.configure({ soft: true, timeout: 3_000 });
  const checkWidths = async (name: string) => {
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 844 });
      await softly.poll(() => findWidening(page), `${name} at ${width} px`).toEqual([]);
    }
  };
  const wordless: string[] = [];
  await openSignedIn(page, service, '/library');
  for (const path of paths)
    await test.step(path, async () => {
      await page.setViewportSize({ width: 1280, height: 844 });
      await page.goto(path);
      const word = page.locator('main').getByText(WORD).first();
      await word.waitFor({ state: 'attached', timeout: 8_000 }).catch(() => wordless.push(path));
      await checkWidths(path);
    });
  await test.step('a client with a long name', async () => {
    await page.goto(sharePath);
    await checkWidths('share page');
    await page.getByLabel('Your name').fill('﷽'.repeat(40));
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByText('Answering as')).toBeVisible();
    await checkWidths('share page of a client');
  });
  expect(wordless, 'pages that show none of the words').toEqual(WORDLESS_PATHS);
});
