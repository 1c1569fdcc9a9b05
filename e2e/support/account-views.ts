import { expect } from '@playwright/test';
import { dialog, heading, press, text, type View } from './view.ts';

/** Keys and settings. */
export const accountViews: readonly View[] = [
  { name: 'keys', path: '/keys', reach: text('Bootstrap key') },
  {
    name: 'a tool to connect',
    path: '/docs',
    open: (page) => page.getByRole('radio', { name: 'Python' }).click(),
    reach: (page) => expect(page.getByLabel('Python for OpenAI’s API', { exact: true })).toBeVisible(),
  },
  {
    name: 'a new key',
    path: '/keys',
    open: async (page) => {
      await press(page, 'New key');
      await page.getByRole('textbox').fill('Ana');
      await press(page, 'Create key');
    },
    reach: (page) => expect(page.getByText('You will see this only once')).toBeVisible(),
  },
  {
    name: 'a key to revoke',
    path: '/keys',
    open: (page) => press(page, /^Revoke/),
    reach: (page) => dialog(page, /^Revoke/),
  },
  { name: 'organization', path: '/settings', reach: heading('Sharing') },
  { name: 'device', path: '/device', reach: heading('Appearance') },
  {
    name: 'approval limit',
    path: '/settings',
    open: (page) => press(page, 'Change limit'),
    reach: (page) => dialog(page, 'Approval limit'),
  },
];
