import { expect } from '@playwright/test';
import type { List } from '#contract/primitives.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { call } from './api-client.ts';
import type { Service } from './service.ts';
import { dialog, heading, press, text, type View } from './view.ts';

/** Raises an alert of a low balance, and waits for it. */
export async function seedAlert(service: Service): Promise<void> {
  await call(service, 'PUT', '/v1/settings', { alerts: { low_balance_usd: '100000' } });
  await expect
    .poll(async () => (await call<List<Alert>>(service, 'GET', '/v1/alerts?kind=low_balance')).data.length)
    .toBe(1);
}

export const emptyAlertViews: readonly View[] = [
  { name: 'no alerts', path: '/alerts', reach: heading('No open alerts') },
];

export const alertViews: readonly View[] = [
  { name: 'alerts', path: '/alerts?show=all', reach: text(/are available, less than/) },
  { name: 'alerts, no match', path: '/alerts?cause=endpoint_disabled', reach: heading('Nothing matches') },
  {
    name: 'newest alerts',
    path: '/keys',
    open: (page) =>
      page
        .getByRole('button', { name: /^Alerts: \d+ open/ })
        .filter({ visible: true })
        .click(),
    loadsTwice: true,
    reach: (page) => dialog(page, 'Alerts'),
  },
  {
    name: 'settings of alerts',
    path: '/alerts',
    open: (page) => press(page, 'Change alerts'),
    reach: (page) => dialog(page, 'Alerts'),
  },
];
