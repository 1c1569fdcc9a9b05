import { addBill } from './support/api-client.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const EUROPEAN = [
  'Datum;Modell;Vorgang;Betrag;Währung',
  '03.10.2026;Motion 3;job-1;0,66;EUR',
  '04.10.2026;Still 2;;1.050,00;EUR',
  ';Summe;;1.050,66;EUR',
  '',
].join('\r\n');

test('a bill of a console is read, stored beside our cost, opened and deleted', async ({ page, service }) => {
  await addBill(service, 'Date,Cost\n2026-10-05,0.250000001\n');
  await openSignedIn(page, service, '/billing?part=close&month=2026-10');
  const main = page.getByRole('main');
  await expect(main.getByRole('row', { name: /painter/ })).toContainText('$0.250000001');

  await main.getByRole('button', { name: 'Add bill' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add bill of October 2026' });
  const file = { name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(EUROPEAN, 'latin1') };
  await dialog.getByLabel('File of the bill').setInputFiles(file);
  await expect(dialog.getByText('The bill is in EUR. Enter how many dollars 1 EUR is.')).toBeVisible();
  await expect(dialog.getByLabel('Service or model')).toHaveValue('Modell');
  await dialog.getByLabel('Dollars for 1 EUR').fill('1.1');
  await dialog.getByLabel('Total of the invoice').fill('1050.67');
  await expect(dialog.getByText('The lines add up to 1050.66 EUR, the invoice says 1050.67 EUR.')).toBeVisible();
  await dialog.getByLabel('Total of the invoice').fill('1050.66');
  await expect(dialog.getByText('2 lines · 1050.66 EUR · $1,155.726 · a sum is left out')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /Motion 3/ })).toContainText('0.66 EUR');
  await dialog.getByRole('button', { name: 'Store bill' }).click();
  await expect(dialog).toBeHidden();
  await expect(main.getByRole('row', { name: /painter/ })).toContainText('+$1,155.976000001');

  await main.getByRole('link', { name: 'bill.csv' }).click();
  await expect(main.getByRole('heading', { name: 'painter, October 2026: $1,155.726' })).toBeVisible();
  await expect(main.getByText('1050.66 EUR at 1.1')).toBeVisible();
  const lines = main.getByRole('list', { name: 'Lines' });
  await expect(lines.getByRole('link', { name: 'job-1' })).toHaveAttribute('href', /\/generations\?q=job-1/);
  await expect(lines).toContainText('$1,155.00');

  await main.getByRole('button', { name: 'Delete bill' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete bill' }).click();
  await expect(main.getByRole('row', { name: /painter/ })).toContainText('+$0.250000001');
});
