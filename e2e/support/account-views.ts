import { expect } from '@playwright/test';
import { dialog, press, text, type View } from './view.ts';

/** Keys and settings. */
export const accountViews: readonly View[] = [
  { name: 'keys', path: '/keys', reach: text('Bootstrap key') },
  {
    name: 'an assistant to connect',
    path: '/keys',
    reach: async (page) => {
      await page.getByText('Configuration', { exact: true }).click();
      await expect(page.getByLabel('MCP configuration', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'a new key',
    path: '/keys',
    reach: async (page) => {
      await press(page, 'New key');
      await page.getByRole('textbox').fill('Ana');
      await press(page, 'Create key');
      await expect(page.getByText('You will see this only once')).toBeVisible();
    },
  },
  {
    name: 'a key to revoke',
    path: '/keys',
    reach: async (page) => {
      await press(page, /^Revoke/);
      await dialog(page, /^Revoke/);
    },
  },
  { name: 'settings', path: '/settings', reach: text('Bootstrap key') },
  {
    name: 'approval limit',
    path: '/settings',
    reach: async (page) => {
      await press(page, 'Change limit');
      await dialog(page, 'Approval limit');
    },
  },
];
