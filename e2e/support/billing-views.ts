import { expect } from '@playwright/test';
import type { Seed } from './seed.ts';
import { dialog, heading, press, text, type View } from './view.ts';

export const billingViews = (seed: Seed): View[] => [
  {
    name: 'billing, added up',
    path: '/billing',
    open: async (page) => {
      await expect(page.getByRole('toolbar', { name: 'Spending by day' })).toBeVisible();
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await page.getByRole('link', { name: 'View as table' }).click();
    },
    reach: (page) => expect(page.getByRole('table', { name: 'Spending' })).toBeVisible(),
  },
  {
    name: 'billing, verified',
    path: '/billing?part=audit',
    open: (page) => press(page, 'Verify ledger'),
    reach: (page) => expect(page.getByText('Ledger verified')).toBeVisible(),
  },
  {
    name: 'a budget',
    path: '/billing',
    open: (page) => press(page, 'Set budget'),
    reach: (page) => dialog(page, /^Monthly budget/),
  },
  {
    name: 'a new budget',
    path: '/billing',
    open: (page) => press(page, 'New budget'),
    reach: (page) => dialog(page, 'New budget'),
  },
  {
    name: 'ledger',
    path: '/billing?part=ledger',
    reach: async (page) =>
      expect(page.getByRole('table', { name: 'Charges' }).locator('[data-row-id]').first()).toBeVisible(),
  },
  {
    name: 'ledger, every entry, one open',
    path: '/billing?ledger=entries',
    open: (page) =>
      page.getByRole('table', { name: 'Entries' }).locator('[data-row-id]').first().getByRole('link').click(),
    reach: (page) =>
      expect(page.getByRole('complementary', { name: 'Open entry' }).getByText('Previous hash')).toBeVisible(),
  },
  {
    name: 'audit log',
    path: '/audit',
    open: async (page) => {
      const event = page
        .getByRole('list', { name: 'Events' })
        .getByText(/(signed in|created|changed|exported|added)/)
        .first();
      await event.click();
    },
    reach: (page) => expect(page.getByText('This server').or(page.getByText('127.0.0.1')).first()).toBeVisible(),
  },
  { name: 'audit log, no match', path: '/audit?about=passkey', reach: heading('Nothing matches') },
  {
    name: 'report',
    path: '/billing?part=report&rows=tag:campaign&columns=task',
    open: async (page) => {
      const table = page.getByRole('region', { name: 'Spending table' });
      await expect(table.getByRole('row', { name: /^spring/ })).toBeVisible();
      await press(page, 'Filters');
    },
    reach: (page) => dialog(page, 'Filters'),
  },
  {
    name: 'statement, to be exported by tag',
    path: '/billing?part=statement&by=tag:campaign&person=(none)',
    open: (page) => press(page, 'Export…'),
    reach: (page) => dialog(page, 'Export'),
  },
  { name: 'statement', path: '/billing?part=statement', reach: text('Available at start') },
  {
    name: 'margin',
    path: '/billing?part=margin',
    reach: async (page) =>
      expect(page.getByRole('table', { name: 'Margin' }).getByRole('row', { name: /^Total/ })).toBeVisible(),
  },
  {
    name: 'what if',
    path: '/billing?part=what_if&task=image.create&from=2020-01-01',
    open: (page) => page.getByLabel('Reprice with').selectOption({ label: 'ImgModel B Pro' }),
    reach: (page) => expect(page.getByText(/^It would have cost/)).toBeVisible(),
  },
  {
    name: 'a refund',
    path: `/generations/${seed.picture}`,
    open: (page) => press(page, 'Refund'),
    reach: (page) => dialog(page, 'Refund'),
  },
  {
    name: 'a tag',
    path: '/settings',
    open: async (page) => {
      await expect(page.getByRole('list', { name: 'Tags' })).toContainText('Campaign');
      await press(page, 'Change Campaign');
    },
    reach: (page) => dialog(page, 'Change “Campaign”'),
  },
  {
    name: 'the limit of members',
    path: '/settings',
    open: (page) => press(page, 'Change limit'),
    reach: (page) => expect(page.getByRole('dialog')).toBeVisible(),
  },
  { name: 'billing, no match', path: '/billing?type=REFUND', reach: heading('Nothing matches') },
];
