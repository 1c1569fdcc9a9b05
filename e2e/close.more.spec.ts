import type { Page } from '@playwright/test';
import { addBill } from './support/api-client.ts';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import { addPerson } from './support/people.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test.describe.configure({ mode: 'serial' });

const MONTH = '/billing?part=close&month=2026-10';
const PAINTER = `${MONTH}&provider=file:painter`;
const SIZES = [
  [1440, 900],
  [390, 844],
] as const;

test.beforeAll(async ({ services }, info) => {
  const service = await services.of(info.file, {});
  const lines = ['2026-10-05,clay,job-1,2', '2026-10-06,clay,job-2,1.5', '2026-10-31,Credit,,-0.5'];
  await addBill(service, ['Date,Model,Request ID,Cost', ...lines, ''].join('\n'));
});

/** In both themes, at both sizes. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const [width, height] of SIZES)
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await turn(page, scheme);
      expect.soft(await findA11yViolations(page), `${name}, ${width} ${scheme}`).toEqual([]);
      const widePx = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(widePx, `${name}, ${width}`).toBeLessThanOrEqual(width);
    }
}

test('a month and a provider are accessible in each state', async ({ page, service }) => {
  const main = page.getByRole('main');
  await openSignedIn(page, service, MONTH);
  await expect(main.getByRole('link', { name: 'painter' })).toBeVisible();
  await expect(main.getByText('Settle 3 findings first.')).toBeVisible();
  await inspect(page, 'open month');
  await main.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByRole('button', { name: 'Audit pack' })).toBeVisible();
  await inspect(page, 'export');
  await page.keyboard.press('Escape');

  await page.goto(PAINTER);
  const findings = main.getByRole('list', { name: 'Findings' });
  await expect(findings.getByRole('link').first()).toBeVisible();
  await inspect(page, 'provider');
  await main.getByRole('button', { name: 'Select items' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(main.getByText('3 selected')).toBeVisible();
  await inspect(page, 'selection');
  await main.getByRole('button', { name: 'Settle 3…' }).click();
  await expect(page.getByRole('dialog', { name: 'Settle 3 findings' })).toBeVisible();
  await inspect(page, 'settle');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Open finding' })).toBeVisible();
  await inspect(page, 'details');
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/open=/);

  await page.goto(`${MONTH}&provider=file:nobody`);
  await expect(main.getByRole('heading', { name: 'Provider not found' })).toBeVisible();
  await page.goto('/billing?part=close&month=2026-09');
  await expect(main.getByRole('heading', { name: 'Nothing to compare' })).toBeVisible();
  await inspect(page, 'empty month');
});

test('a bill opens at the line of a finding', async ({ page, service }) => {
  await openSignedIn(page, service, PAINTER);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Row 3', exact: true }).click();
  const lines = main.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText('job-2');
  await main.getByRole('link', { name: 'Show all lines' }).click();
  await expect(lines).toHaveCount(3);
});

test('a month that cannot be loaded says so, also offline, and loads again', async ({ page, service }) => {
  await openSignedIn(page, service, MONTH);
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'painter' })).toBeVisible();
  for (const path of [MONTH, PAINTER]) {
    await page.route(/\/v1\/billing\/close\?/, (route) => route.abort());
    await page.goto(path);
    await expect(main.getByRole('heading', { name: 'The month could not be loaded' })).toBeVisible();
    await inspect(page, `failing ${path}`);
    await page.unroute(/\/v1\/billing\/close\?/);
    const shown = main.getByText('painter').first();
    // The page may have loaded again by itself.
    await main.getByRole('button', { name: 'Try again' }).or(shown).click();
    await expect(shown).toBeVisible();
  }
});

test('auditors see everything and change nothing, members see no tab', async ({ page, service, browser }) => {
  const auditor = await addPerson(service, 'auditor', 'Eva Roth');
  await openSignedIn(page, auditor, PAINTER);
  const main = page.getByRole('main');
  await expect(main.getByRole('list', { name: 'Findings' }).getByRole('link').first()).toBeVisible();
  for (const name of [/^Settle/, 'Select items', 'Add bill'])
    await expect(main.getByRole('button', { name })).toHaveCount(0);
  await expect(main.getByRole('checkbox')).toHaveCount(0);

  const member = await browser.newPage();
  await openSignedIn(member, await addPerson(service, 'member', 'Ana Lim'), '/billing');
  await expect(member.getByRole('tab', { name: 'Ledger' })).toBeVisible();
  await expect(member.getByRole('tab', { name: 'Close' })).toHaveCount(0);
  await member.close();
});
