import { expect, type Locator, type Page } from '@playwright/test';

/** Says "Generate" for a model, and for a tool what it does. */
export const generateButton = (page: Page): Locator =>
  page.getByRole('button', {
    name: /^(Generate|Trim|Join|Split|Save frame|Extract sound|Add sound|Search)( \d)?( ·|$)/,
  });

/** Chooses from the menu beside the button. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More for this form' }).click();
  await page.getByRole('menuitem', { name }).click();
}

export const resultRegion = (page: Page): Locator => page.getByRole('region', { name: 'Result' });

/** A chip below the result. */
export const nextStep = (page: Page, name: string): Locator =>
  resultRegion(page).getByRole('list', { name: 'Continue with this' }).getByRole('link', { name, exact: true });

/** The buttons that add a file to a field, by the field's label. */
export const fieldSources = (page: Page, field: string): Locator =>
  page.getByRole('group', { name: field, exact: true });

export async function availableFunds(page: Page): Promise<number> {
  const chip = page.locator('a, button').filter({ hasText: /\$[\d.,]+\s*available$/, visible: true });
  return Number(/\$([\d.,]+) available/.exec(await chip.innerText().then(oneLine))?.[1]?.replaceAll(',', ''));
}

export async function generate(page: Page): Promise<void> {
  await generateButton(page).click();
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
}

/** Entries of the navigation by the pages that they hold beside the first. */
const ENTRY_OF: Readonly<Record<string, string>> = {
  Batches: 'Generations',
  Uploads: 'Library',
  ...Object.fromEntries(
    ['Models & prices', 'Keys', 'Webhooks', 'Audit log', 'Organization', 'Connect a tool'].map((name) => [
      name,
      'Manage',
    ]),
  ),
};

/** Opens a page of the navigation, on a phone from the "More" menu where the bar has no room for it. */
export async function navigateTo(page: Page, name: string): Promise<void> {
  const entry = ENTRY_OF[name] ?? name;
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${entry}( |$)`) })
    .filter({ visible: true });
  const more = page.getByRole('button', { name: 'More', exact: true });
  // Some links appear only when the key of the session is known.
  await expect(link.or(more).filter({ visible: true }).first()).toBeVisible();
  if (await link.isVisible()) await link.click();
  else {
    await more.click();
    await page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: entry }).click();
  }
  if (entry !== name) await page.getByRole('link', { name, exact: true }).filter({ visible: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

export async function uploadToField(page: Page, field: string, files: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await fieldSources(page, field).getByRole('button', { name: 'Upload' }).click();
  await (await chooser).setFiles(files);
}

/** Parses a column of amounts such as "$0.345". */
export const parseDollars = (texts: readonly string[]): number[] =>
  texts.map((text) => Number(text.replaceAll(/[^\d.-]/g, '')));

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
