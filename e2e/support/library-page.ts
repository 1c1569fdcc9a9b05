import { expect, type Locator, type Page } from '@playwright/test';
import type { Service } from './service.ts';
import { openSignedIn } from './test.ts';

export const message = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text);

export const tiles = (page: Page) => page.locator('[data-tile]');

export const tile = (page: Page, name: string): Locator => tiles(page).and(page.getByLabel(name)).first();

/** Opens the library and waits for what is in it. */
export async function open(page: Page, service: Service, path = '/library'): Promise<void> {
  await openSignedIn(page, service, path);
  await expect(tiles(page).first()).toBeVisible();
}
