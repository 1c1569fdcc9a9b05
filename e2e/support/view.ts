import { expect, type Page } from '@playwright/test';

/** A state of the dashboard that a person can be in. */
export interface View {
  name: string;
  path: string;
  /** What is done there, and what shows that it is reached. */
  reach: (page: Page) => Promise<void>;
  /** Where it exists at one width only. */
  only?: 'wide' | 'narrow';
}

export const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { name })).toBeVisible();
export const text = (words: string | RegExp) => (page: Page) =>
  expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
export const press = async (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
export const dialog = (page: Page, name: string | RegExp) => expect(page.getByRole('dialog', { name })).toBeVisible();
