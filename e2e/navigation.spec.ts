import type { Page } from '@playwright/test';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { addPerson } from './support/people.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const sidebar = (page: Page) => page.getByRole('complementary').getByRole('navigation', { name: 'Main' });
const labels = async (page: Page) =>
  (await sidebar(page).getByRole('link').allInnerTexts()).map((text) => text.replace(/\s*\$[\s\S]*/, ''));
const manageList = (page: Page) => page.getByRole('navigation', { name: 'Manage' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

test('gives an administrator six entries, with every page inside of one', async ({ page, service }) => {
  await openSignedIn(page, service, '/create');
  await expect.poll(() => labels(page)).toEqual(['Create', 'Generations', 'Library', 'Workflows', 'Billing', 'Manage']);
  await expect(page.getByRole('complementary').getByRole('link')).toHaveCount(6);
  await expect(sidebar(page).getByRole('link', { name: /^Billing/ })).toContainText(/\$\d/);

  await sidebar(page).getByRole('link', { name: 'Manage' }).click();
  const pages = await manageList(page).getByRole('link').allInnerTexts();
  expect(pages).toEqual([
    'People',
    'Providers',
    'Models & prices',
    'Keys',
    'Webhooks',
    'Alerts',
    'Audit log',
    'Organization',
    'Connect a tool',
  ]);
  await expect(heading(page, 'People')).toBeFocused();
  for (const name of pages.toReversed()) {
    const link = manageList(page).getByRole('link', { name, exact: true });
    await link.click();
    await expect(heading(page, name)).toBeFocused();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(sidebar(page).getByRole('link', { name: 'Manage' })).toHaveAttribute('aria-current', 'page');
  }

  for (const [entry, name, url] of [
    ['Generations', 'Batches', '/batches'],
    ['Library', 'Uploads', '/uploads'],
    ['Library', 'Trash', '/library/trash'],
  ] as const) {
    await sidebar(page).getByRole('link', { name: entry }).click();
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(url);
    await expect(sidebar(page).getByRole('link', { name: entry })).toHaveAttribute('aria-current', 'page');
  }
  await page.goto('/review');
  await expect(heading(page, 'Review')).toBeVisible();
  await expect(sidebar(page).getByRole('link', { name: /^Billing/ })).toHaveAttribute('aria-current', 'page');
});

test('gives a member four entries and the balance, and the rest in the account menu', async ({ page, service }) => {
  const member = await addPerson(service, 'member', 'Mia Chen');
  await openSignedIn(page, member, '/create');
  await expect.poll(() => labels(page)).toEqual(['Create', 'Generations', 'Library', 'Workflows', 'Billing']);
  await page.goto('/settings');
  await expect(page).toHaveURL('/device');
  for (const [item, name] of [
    ['Your account', 'Your account'],
    ['Your keys', 'Keys'],
    ['Your device', 'Your device'],
  ] as const) {
    await page.getByRole('button', { name: /Mia Chen/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(heading(page, name)).toBeVisible();
    await expect(manageList(page)).toHaveCount(0);
  }
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: /Mia Chen/ }).click();
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await page
    .getByRole('dialog', { name: 'Help' })
    .getByRole('link', { name: /^Models & prices/ })
    .click();
  await expect(heading(page, 'Models & prices')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('an auditor creates a read-only key of their own in the account menu', async ({ page, service }) => {
  await openSignedIn(page, await addPerson(service, 'auditor', 'Eva Roth'), '/billing');
  await page.getByRole('button', { name: /Eva Roth/ }).click();
  await page.getByRole('menuitem', { name: 'Your keys' }).click();
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Year-end script');
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  expect(await findA11yViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'I have stored it' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('list', { name: 'Keys', exact: true }).getByRole('listitem');
  await expect(row).toContainText('Year-end script');
  await expect(row).toContainText('Read-only');
});

test('keeps labels readable on a tablet, and four entries on a phone', async ({ page, service }) => {
  await page.setViewportSize({ width: 820, height: 1180 });
  await openSignedIn(page, service, '/people');
  for (const name of ['Create', 'Generations', 'Library', 'Workflows', 'Billing', 'Manage']) {
    const label = sidebar(page).getByText(name, { exact: true });
    const isCut = await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    expect(isCut, name).toBe(false);
  }
  expect(await findA11yViolations(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole('navigation', { name: 'Main' }).filter({ visible: true });
  await expect(bar.getByRole('link').or(bar.getByRole('button'))).toHaveText([
    'Create',
    'Generations',
    'Library',
    /^More/,
  ]);
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: 'Manage' }).click();
  await manageList(page).getByRole('link', { name: 'Connect a tool' }).click();
  await expect(heading(page, 'Connect a tool')).toBeVisible();
  await expect(manageList(page).getByRole('link', { name: 'Connect a tool' })).toBeInViewport({ ratio: 1 });
});

test('finds pages inside of entries in the palette', async ({ page, service }) => {
  await openSignedIn(page, service, '/billing');
  await expect(heading(page, 'Billing')).toBeVisible();
  for (const [words, url] of [
    ['webhooks', '/webhooks'],
    ['trash', '/library/trash'],
    ['theme and', '/device'],
    ['organization', '/settings'],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog', { name: 'Jump to' });
    await palette.getByRole('combobox').fill(words);
    await palette.getByRole('option').first().click();
    await expect(page).toHaveURL(url);
    await expect(palette).toBeHidden();
  }
});

test('opens a page without what is not valid in its address', async ({ page, service }) => {
  await openSignedIn(page, service, '/billing?part=nonsense&tags=campaign%3Aspring&type=odd');
  await expect(page.getByRole('tab', { name: 'Overview', exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.goto('/library?answer=odd&type=odd&tags=x');
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeVisible();
});
