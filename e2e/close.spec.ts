import type { Page } from '@playwright/test';
import type { Provider } from '#contract/resources/provider.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { addBill, call, postGeneration, waitForGeneration } from './support/api-client.ts';
import { connectFal, test } from './support/fake-fal-test.ts';
import { addPerson } from './support/people.ts';
import type { Service } from './support/service.ts';
import { expect, openSignedIn } from './support/test.ts';

test.describe.configure({ mode: 'serial' });

const EUROPEAN = [
  'Datum;Modell;Vorgang;Betrag;Währung',
  '03.10.2026;Motion 3;job-1;0,66;EUR',
  '04.10.2026;Still 2;;1.050,00;EUR',
  ';Summe;;1.050,66;EUR',
  '',
].join('\r\n');

const rowOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Providers' }).getByRole('listitem').filter({ hasText: name });

test('a bill of a console is read, stored beside our cost, opened and deleted', async ({ page, service }) => {
  await addBill(service, 'Date,Cost\n2026-10-05,0.250000001\n');
  await openSignedIn(page, service, '/billing?part=close&month=2026-10');
  const main = page.getByRole('main');
  const painter = rowOf(page, 'painter');
  await expect(painter).toContainText('$0.250000001');

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
  await expect(painter).toContainText('+$1,155.976000001');

  await painter.getByRole('link', { name: 'painter' }).click();
  await main.getByRole('link', { name: 'bill.csv' }).click();
  await expect(main.getByRole('heading', { name: 'painter, October 2026: $1,155.726' })).toBeVisible();
  await expect(main.getByText('1050.66 EUR at 1.1')).toBeVisible();
  const lines = main.getByRole('list', { name: 'Lines' });
  await expect(lines.getByRole('link', { name: 'job-1' })).toHaveAttribute('href', /\/generations\?q=job-1/);
  await expect(lines).toContainText('$1,155.00');

  await main.getByRole('button', { name: 'Delete bill' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete bill' }).click();
  await expect(main.getByRole('heading', { name: 'painter, October 2026' })).toBeVisible();
  await expect(main.getByText('+$0.250000001').first()).toBeVisible();
});

/** Two jobs at fal, one of which it bills at another price, and a line that nobody ordered. */
async function seedMixedBill(service: Service, provider: Provider, month: string) {
  const make = async () => {
    const body = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A heron' } } as const;
    const { id } = await waitForGeneration(service, (await postGeneration(service, body)).id);
    return call<UpstreamJob>(service, 'GET', `/v1/generations/${id}/upstream`);
  };
  const [dearer] = [await make(), await make()];
  const cost = Number(dearer?.cost_usd);
  const day = new Date().toISOString().slice(0, 10);
  const lines = [`${day},nano,${dearer?.request_id},${cost * 3}`, `${day},nano,nobody,0.4`];
  await addBill(service, ['Date,Model,Request ID,Cost', ...lines, ''].join('\n'), { provider_id: provider.id, month });
  return { generationId: dearer?.generation_id ?? '', correctedUsd: cost * 3 };
}

test('names why a bill differs, and settles a whole kind with what later jobs cost', async ({ page, service, fal }) => {
  const provider = await connectFal(service, fal);
  const month = new Date().toISOString().slice(0, 7);
  const { generationId } = await seedMixedBill(service, provider, month);
  await openSignedIn(page, service, `/billing?part=close&month=${month}`);
  const main = page.getByRole('main');
  await expect(main.getByText('The month is not over yet (UTC).')).toBeVisible();
  await expect(main.getByRole('button', { name: /^Close / })).toHaveAttribute('aria-disabled', 'true');
  await expect(rowOf(page, 'fal')).toContainText('3 open');
  await main.getByRole('link', { name: 'Show them' }).click();

  const kinds = main.getByRole('radiogroup', { name: 'Kind' });
  for (const kind of ['Price differs 1', 'Theirs only 1', 'Ours only 1', 'All 3'])
    await expect(kinds.getByText(kind)).toBeVisible();
  const rows = main.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await main.getByRole('searchbox', { name: 'Search findings' }).fill('nobody');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Unknown request');
  await main.getByRole('searchbox', { name: 'Search findings' }).fill('');
  await kinds.getByRole('radio', { name: /^Price differs/ }).check();
  await expect(rows).toHaveCount(1);

  await main.getByRole('button', { name: 'Settle all 1 of this kind…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settle 1 finding' });
  await dialog.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(dialog.getByText('Choose an action.')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Use the new cost' }).check();
  await dialog.getByRole('button', { name: 'Use the new cost', exact: true }).click();
  await expect(page.getByText('1 finding settled', { exact: true })).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();

  await main.getByRole('radio', { name: 'Settled' }).check();
  await rows.getByRole('link').first().click();
  const panel = page.getByRole('complementary', { name: 'Open finding' });
  const settlement = panel.getByRole('region', { name: 'Settlement' }).getByRole('listitem');
  await expect(settlement).toContainText('Use the new cost');
  await panel.getByRole('link', { name: 'Open generation' }).click();
  await expect(page).toHaveURL(new RegExp(`/generations/${generationId}`));
  await expect(page.getByRole('heading', { name: 'Corrected cost' })).toBeVisible();
});

test('a month is settled by selection, closed, read by an auditor and reopened', async ({ page, service, browser }) => {
  const provider_id = 'file:sculptor';
  const lines = ['2026-10-05,clay,,2', '2026-10-06,clay,,1.5', '2026-10-31,Credit,,-0.5'];
  await addBill(service, ['Date,Model,Request ID,Cost', ...lines, ''].join('\n'), { provider_id });
  await openSignedIn(page, service, `/billing?part=close&month=2026-10&provider=${provider_id}`);
  const main = page.getByRole('main');
  const rows = main.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: /^Settle \d findings?$/ });
  await dialog.getByRole('button', { name: /^Book as cost · \+\$3\.00$/ }).click();
  await expect(dialog.getByText('Enter a note.')).toBeVisible();
  const error = { code: 'invalid_request', message: 'The month is closed.', details: [] };
  await page.route(/\/settlements$/, (route) => route.fulfill({ status: 422, json: { error } }), { times: 1 });
  await dialog.getByLabel('Note').fill('Tests in the console');
  await dialog.getByRole('button', { name: /^Book as cost/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('The month is closed.');
  await expect(dialog.getByLabel('Note')).toHaveValue('Tests in the console');
  await dialog.getByRole('button', { name: /^Book as cost/ }).click();
  await expect(page.getByText('+$3.00 booked as cost of October 2026.', { exact: true })).toBeVisible();

  await call(service, 'POST', '/v1/billing/close/settlements', {
    month: '2026-10',
    provider_id: 'file:painter',
    kind: 'theirs_only',
    action: 'book_cost',
    note: 'Tests in the console',
  });
  await page.goto('/billing?part=close&month=2026-10');
  await main.getByRole('button', { name: 'Close October 2026' }).click();
  const closing = page.getByRole('dialog', { name: 'Close October 2026' });
  await expect(closing.getByText('Lines that arrive later become corrections in an open month.')).toBeVisible();
  await closing.getByRole('button', { name: 'Close October 2026' }).click();
  await expect(main.getByText(/^Closed .* by /)).toBeVisible();
  await expect(rowOf(page, 'sculptor')).toContainText('Closed');

  const auditor = await browser.newPage();
  await openSignedIn(auditor, await addPerson(service, 'auditor', 'Eva Roth'), '/billing?part=close&month=2026-10');
  await expect(auditor.getByText(/^Closed .* by /)).toBeVisible();
  for (const name of ['Reopen…', 'Add bill']) await expect(auditor.getByRole('button', { name })).toHaveCount(0);
  await rowOf(auditor, 'sculptor').getByRole('link').click();
  await expect(auditor.getByRole('list', { name: 'Findings' }).getByRole('listitem').first()).toContainText('Settled');
  await expect(auditor.getByRole('checkbox')).toHaveCount(0);
  await auditor.close();

  await main.getByRole('button', { name: 'Reopen…' }).click();
  const reopening = page.getByRole('dialog', { name: 'Reopen October 2026' });
  await reopening.getByRole('button', { name: 'Reopen October 2026' }).click();
  await expect(reopening.getByText('Enter a reason.')).toBeVisible();
  await reopening.getByLabel('Reason').fill('A bill of another account');
  await reopening.getByRole('button', { name: 'Reopen October 2026' }).click();
  await expect(main.getByRole('button', { name: 'Close October 2026' })).toBeVisible();
});
