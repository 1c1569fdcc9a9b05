import { expect, type Page } from '@playwright/test';

export interface View {
  name: string;
  path: string;
  reach: (page: Page) => Promise<void>;
  /** Set where the view exists at one width only. */
  only?: 'wide' | 'narrow';
}

export const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { name })).toBeVisible();
export const text = (words: string | RegExp) => (page: Page) =>
  expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
export const press = async (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
export const dialog = (page: Page, name: string | RegExp) => expect(page.getByRole('dialog', { name })).toBeVisible();
