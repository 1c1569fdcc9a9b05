import { readFile } from 'node:fs/promises';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Verification } from '#contract/resources/audit.ts';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { call, fetchLedger, postGeneration, waitForGeneration } from './support/api-client.ts';
import { chooseMore, navigateTo } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test.describe.configure({ mode: 'serial' });
test.use({ viewport: { width: 1440, height: 900 } });

/** Rows of a CSV file as objects. */
function readCsv(text: string): Record<string, string>[] {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );
  const [header = [], ...data] = rows;
  return data.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}

test('prices an input on every model and runs two of them side by side', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create/imgmodel-b-2');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Two lighthouses');
  await chooseMore(page, 'Compare models…');
  const compareDialog = page.getByRole('dialog', { name: 'Compare models' });
  await expect(compareDialog.getByRole('checkbox', { name: 'ImgModel B 2', exact: true })).toBeChecked();
  await compareDialog.getByRole('checkbox', { name: 'ImgModel B 2', exact: true }).uncheck();
  await compareDialog.getByRole('checkbox', { name: 'ImgModel B 2 Lite' }).check();
  await compareDialog.getByRole('checkbox', { name: 'ImgModel A 2', exact: true }).check();
  await compareDialog.getByRole('button', { name: 'Generate 2 · $0.05' }).click();
  const sideBySide = page.getByRole('region', { name: 'Side by side' });
  await expect(sideBySide.getByText('2 results')).toBeVisible();
  await expect(sideBySide.getByText('Two lighthouses')).toBeVisible();
  await expect(sideBySide.getByRole('img', { name: 'Result' })).toHaveCount(2);
  await expect(sideBySide.getByText('$0.05')).toBeVisible();
  expect((await fetchLedger(service)).filter(({ type }) => type === 'RESERVE')).toHaveLength(2);
});

test('shows who spent what on which model, refunds it and verifies the ledger', async ({ page, service }) => {
  const ana = await call<ApiKeyCreated>(service, 'POST', '/v1/api-keys', { name: 'Ana', kind: 'member' });
  const request = { task: 'image.create', model: 'imgmodel-b-pro', input: { prompt: 'A harbour' } };
  const generation = await postGeneration({ url: service.url, key: ana.key }, request);
  await waitForGeneration(service, generation.id);
  await openSignedIn(page, service, '/billing?by=key');

  await page.getByRole('list', { name: 'Top spending by key' }).getByRole('link', { name: 'Ana' }).click();
  const sums = page.getByLabel('Totals');
  await expect(sums).toContainText('Spent$0.09');
  await expect(page.getByRole('combobox', { name: 'Key' })).toHaveValue(ana.id);
  await page.getByRole('table', { name: 'Charges' }).getByRole('link', { name: 'A harbour' }).click();
  await page.getByRole('complementary', { name: 'Open entry' }).getByRole('link', { name: 'Open generation' }).click();
  const moneyTrail = page.getByRole('list', { name: 'Money trail' });
  await expect(moneyTrail).toContainText(/Estimated and reserved.*−\$0\.09.*Released.*\+\$0\.09.*Charged.*−\$0\.09/);
  await expect(page.getByText('Charged as estimated.')).toBeVisible();

  await page.getByRole('button', { name: 'Refund' }).click();
  const refund = page.getByRole('dialog', { name: 'Refund' });
  await refund.getByLabel('Amount in dollars').fill('0.04');
  await refund.getByLabel('Reason').fill('Too dark');
  await refund.getByRole('button', { name: 'Refund $0.04' }).click();
  await expect(moneyTrail).toContainText(/Net cost\$0\.05/);
  await page.getByRole('button', { name: 'Refund' }).click();
  await expect(refund).toContainText('$0.09 was charged, $0.04 already refunded.');
  await expect(refund).toContainText('refund the rest ($0.05)');
  await refund.getByRole('button', { name: 'Cancel' }).click();

  await navigateTo(page, 'Billing');
  await expect(page).toHaveTitle('Overview · Billing · Emulsion');
  const periods = await page.getByRole('combobox', { name: 'Period' }).getByRole('option').allTextContents();
  expect(new Set(periods).size).toBe(periods.length);
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  await expect(page.getByText('Ledger verified')).toBeVisible();
  const { head } = await call<Verification>(service, 'GET', '/v1/billing/verification');
  const checkpoint = page.getByRole('textbox', { name: 'Checkpoint' });
  await checkpoint.fill(`${head?.seq} ${head?.hash.slice(1)}`);
  await checkpoint.press('Enter');
  await expect(checkpoint).toHaveAccessibleDescription(/Enter an entry number and its hash/);
  await checkpoint.fill(`${head?.seq} ${head?.hash}`);
  await checkpoint.press('Enter');
  await expect(page.getByText('Nothing up to the checkpoint has changed.')).toBeVisible();

  await navigateTo(page, 'Audit log');
  const events = page.getByRole('list', { name: 'Events' });
  await expect(events).toContainText('refunded $0.04 of a generation of Ana: Too dark');
  await events.getByText('created the key “Ana”').click();
  await expect(events.getByRole('row', { name: 'kind member' })).toBeVisible();
  await page.getByRole('combobox', { name: 'About' }).selectOption('Keys');
  await expect(events.getByText('refunded')).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect(readCsv(await readFile(await (await download).path(), 'utf8')).map(({ action }) => action)).toContain(
    'key.created',
  );
});

test('charts, tabulates and exports the same amounts to the micro-dollar', async ({ page, service }) => {
  const { promise: isFocused, resolve: loadServices } = Promise.withResolvers<void>();
  await page.route('**/background-services-*.js', async (route) => {
    await isFocused;
    await route.continue();
  });
  await openSignedIn(page, service, '/billing?by=model');
  const toolbar = page.getByRole('toolbar', { name: 'Spending by day' });
  const today = toolbar.getByRole('button').last();
  const entries = await fetchLedger(service);
  const spent = entries
    .filter(({ type }) => type === 'SETTLE' || type === 'REFUND')
    .reduce((sum, { amount_usd }) => sum - parseUsd(amount_usd), 0n);
  await expect(today).toHaveAccessibleName(new RegExp(`: \\$${formatUsd(spent).replace('.', '\\.')}, 3 charges\\.`));
  await page.getByRole('link', { name: 'View as table' }).click();
  const table = page.getByRole('table', { name: 'Spending' });
  await expect(table.getByRole('row').last()).toContainText(`$${formatUsd(spent)}`);
  await page.goBack();

  await today.focus();
  loadServices();
  await expect(page.locator('output[aria-live=polite]')).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/part=ledger&from=/);
  await expect(page.getByRole('tabpanel')).toBeFocused();
  const arriving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const rows = readCsv(await readFile(await (await arriving).path(), 'utf8'));
  expect(
    rows.map(({ id, type, amount_usd, available_after_usd }) => [id, type, amount_usd, available_after_usd]),
  ).toEqual(
    entries
      .toReversed()
      .map(({ id, type, amount_usd, available_after_usd }) => [id, type, amount_usd, available_after_usd]),
  );
});

test('finds a charge, opens it from any part of its row and walks to its neighbor', async ({ page, service }) => {
  const settled = (await fetchLedger(service)).find(({ type }) => type === 'SETTLE');
  await openSignedIn(page, service, '/billing?part=ledger');
  const rows = page.getByRole('table', { name: 'Charges' }).locator('[data-row-id]');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('f');
  const search = page.getByRole('searchbox', { name: 'Search the ledger' });
  await expect(search).toBeFocused();
  await search.fill(`#${settled?.seq}`);
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/q=%23\d+|q=%22%23\d+%22/);
  await page.evaluate(() => Object.assign(window, { is_same_page: true }));
  await rows
    .first()
    .getByText(/Charged|refunded/i)
    .first()
    .click();
  const panel = page.getByRole('complementary', { name: 'Open entry' });
  await expect(panel.getByRole('heading', { name: /^Entry #\d+$/ })).toBeVisible();
  const list = panel.getByRole('list', { name: 'Entries of this charge' });
  await list.getByRole('link', { name: `#${settled?.seq} Charged` }).click();
  await expect(page).toHaveURL(new RegExp(`open=${settled?.id}`));
  await expect(panel.getByText(settled?.hash ?? 'no hash')).toBeVisible();
  await panel.getByRole('link', { name: `Previous #${Number(settled?.seq) - 1}` }).click();
  await expect(panel.getByRole('heading', { name: `Entry #${Number(settled?.seq) - 1}` })).toBeVisible();
  await expect(panel.getByText('(RELEASE)')).toBeVisible();
  expect(await page.evaluate(() => 'is_same_page' in window)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page).not.toHaveURL(/open=/);
  await search.fill('no prompt has these words');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await search.fill('lighthouses');
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(rows.nth(2)).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await rows.first().getByRole('link').press('Enter');
  await expect(panel.getByRole('heading', { name: /^Entry #\d+$/ })).toBeVisible();
  const opened = page.url();
  await page.keyboard.press('j');
  await expect(page).not.toHaveURL(opened);
});
