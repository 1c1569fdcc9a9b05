import { expect, type Page } from '@playwright/test';

const RUN_URL = /\/workflows\/runs\/(run_\w+)/;

export const runButton = (page: Page) => page.getByRole('button', { name: /^Run( ·|$)/ });

export const inTime = (page: Page) => page.getByRole('list', { name: 'Step timeline' }).getByRole('listitem');

export const fold = (page: Page, title: string) =>
  page.locator('details', { has: page.locator('summary', { hasText: new RegExp(`^${title}`) }) });

/** Opens a part of the page that is folded, such as the timeline of a run with a result. */
export async function unfold(page: Page, title: string): Promise<void> {
  const isOpen = await fold(page, title).evaluate((element) => element.hasAttribute('open'));
  if (!isOpen) await fold(page, title).locator('summary').first().click();
}

export const status = (page: Page) => page.getByRole('heading', { level: 1 }).locator('xpath=..');

export const panel = (page: Page) => page.getByRole('complementary', { name: 'Open step' });

export const starterNamed = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Workflows' }).getByRole('link', { name, exact: true });

/** Where the run of the page is. @returns its id */
export async function runOf(page: Page): Promise<string> {
  await expect(page).toHaveURL(RUN_URL);
  return RUN_URL.exec(page.url())?.[1] ?? '';
}
