import { expect, type Page } from '@playwright/test';

export interface View {
  name: string;
  path: string;
  /** What a person does there first. */
  open?: (page: Page) => Promise<unknown>;
  /** Waits until the view is there, also after its width changed. */
  reach: (page: Page) => Promise<unknown>;
  /** Set where the view ends with the width at which it was opened. */
  loadsTwice?: boolean;
  /** Set where the view exists at one width only. */
  only?: 'wide' | 'narrow';
}

export const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { name })).toBeVisible();
export const text = (words: string | RegExp) => (page: Page) =>
  expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
export const press = async (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
export const dialog = (page: Page, name: string | RegExp) => expect(page.getByRole('dialog', { name })).toBeVisible();
