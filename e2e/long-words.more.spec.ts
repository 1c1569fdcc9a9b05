import type { Page } from '@playwright/test';
import { connectFal, test } from './support/fake-fal-test.ts';
import { seedLongWords } from './support/long-words.ts';
import { expect, openSignedIn } from './support/test.ts';

test.describe.configure({ timeout: 600_000 });

/** Pages with words of the service alone; the name of the member who opens them is around them. */
const OWN_WORDS_PATHS = [
  '/account',
  '/device',
  '/docs',
  '/docs?part=reference',
  '/providers',
  '/providers/connect/fal',
  '/billing?part=audit',
  '/webhooks/check',
  '/added-models/new',
  '/sign-in',
  '/invitation',
];
/** One leads to another page, the other is for development. */
const ROUTES_WITHOUT_A_PAGE = ['/', '/dev/ui', '/uploads/$id'];
const WIDTHS_PX = [1280, 390];
const WORD = /Wortungetüm|Wuuu|ortunget/;

/** What is wider than the window, or than a part that scrolls down alone: the innermost elements that reach beyond it. */
const findWidening = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isClipped = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || isClipped(element.parentElement));
    const columns = [...document.querySelectorAll('[class*="overflow-y-auto"]:not([class*="overflow-x-auto"])')];
    const wideColumns = columns.filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth);
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= innerWidth && wideColumns.length === 0) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 0.5 && !isClipped(element.parentElement),
    );
    const inColumns = wideColumns.flatMap((column) => {
      const right = column.getBoundingClientRect().left + column.clientWidth + 0.5;
      return [...column.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > right);
    });
    const found = [...wide, ...inColumns];
    const inner = found.filter((element) => ![...element.children].some((child) => found.includes(child)));
    return [`${scrollWidth} px`, ...inner.slice(0, 4).map((element) => element.outerHTML.slice(0, 240))];
  });

const softly = expect.configure({ soft: true, timeout: 30_000 });

async function checkWidths(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 844 });
    await softly.poll(() => findWidening(page), `${name} at ${width} px`).toEqual([]);
  }
}

/** Where the router puts itself. */
const ROUTER = '__TSR_ROUTER__';
interface Router {
  routesByPath: Record<string, unknown>;
  state: { matches: { fullPath: string }[] };
}

/** The router's own list of pages, and which of them is open. */
const readRoutes = (page: Page): Promise<{ all: string[]; open: string | undefined }> =>
  page.evaluate((name) => {
    const router = (window as unknown as Record<string, Router | undefined>)[name];
    if (!router) throw new Error('There is no router.');
    return { all: Object.keys(router.routesByPath), open: router.state.matches.at(-1)?.fullPath };
  }, ROUTER);

test('long words widen no page, at 1280 and 390 px', async ({ page, service, fal }) => {
  const seed = await seedLongWords(service, await connectFal(service, fal), fal.upstream);
  const visited = new Set<string | undefined>();
  const visit = (path: string, isReady: () => Promise<unknown>) =>
    test.step(path, async () => {
      await page.setViewportSize({ width: 1280, height: 844 });
      await page.goto(path);
      await isReady();
      await checkWidths(page, path);
      visited.add((await readRoutes(page)).open);
    });

  await openSignedIn(page, service, '/library');
  const { all: routes } = await readRoutes(page);
  for (const path of seed.paths)
    await visit(path, () => softly(page.locator('main').getByText(WORD).first(), path).toBeAttached());
  for (const path of OWN_WORDS_PATHS) await visit(path, () => page.getByRole('heading').first().waitFor());
  const unvisited = routes.filter((route) => !visited.has(route) && !ROUTES_WITHOUT_A_PAGE.includes(route));
  expect.soft(unvisited, 'pages that were not visited').toEqual([]);

  await test.step('a model of long words, before it is added', async () => {
    await page.goto('/added-models/new');
    await page.getByRole('textbox', { name: 'Address, or words to search for' }).fill(seed.modelAddress);
    await page.getByRole('button', { name: 'Show the form' }).click();
    await page.getByRole('button', { name: 'Add as draft' }).waitFor();
    await checkWidths(page, 'a model before it is added');
  });
  await test.step('the account of a member with a long name', async () => {
    await page.setViewportSize({ width: 1280, height: 844 });
    await openSignedIn(page, seed.member, '/account');
    await softly(page.getByText(WORD).first()).toBeAttached();
    await checkWidths(page, 'the account of a member');
  });
  await test.step('the public pages', async () => {
    await page.goto(seed.sharePath);
    await checkWidths(page, 'share page');
    await page.getByLabel('Your name').fill('﷽'.repeat(40));
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByText('Answering as')).toBeVisible();
    await checkWidths(page, 'share page of a client');
    await page.getByRole('link', { name: /content credentials of Image/i }).click();
    await expect(page.getByText('Prompt: Wortungetüm')).toBeVisible();
    await checkWidths(page, 'credentials of a shared file');
    await page.goto('/verify');
    const buffer = Buffer.from(await (await fetch(seed.resultUrl)).arrayBuffer());
    const file = { name: `${'Wortungetuem'.repeat(12)}.png`, mimeType: 'image/png', buffer };
    await page.getByLabel('Image, video or audio file').setInputFiles(file);
    await checkWidths(page, 'check of a file with a long name');
    await page.getByRole('button', { name: 'Check file' }).click();
    await expect(page.getByText('Prompt: Wortungetüm')).toBeVisible();
    await checkWidths(page, 'credentials of a checked file');
  });
});
