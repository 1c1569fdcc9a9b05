import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { formatMoney, formatUsd, parseUsd } from '#contract/money.ts';
import type { Verification } from '#contract/resources/audit.ts';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { call, fetchBillingSummary, fetchLedger, postGeneration, waitForGeneration } from './support/api-client.ts';
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
  await expect(sideBySide.getByText('2 results')).toBeVisible({ timeout: 60_000 });
  await expect(sideBySide.getByText('Two lighthouses')).toBeVisible();
  await expect(sideBySide.getByRole('img', { name: 'Result' })).toHaveCount(2, { timeout: 60_000 });
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
  await expect(events.getByRole('row', { name: 'kind – member' })).toBeVisible();
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
  await page.getByText('View as table').click();
  await expect(page.getByRole('table').getByRole('row').last()).toContainText(`$${formatUsd(spent)}`);

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

/** Every amount on the page but the labels of the chart’s axis, which stand beside exact ones. */
const shownAmounts = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) =>
    [...main.querySelectorAll('*')]
      .filter((element) => element.closest('[aria-hidden="true"]') === null)
      .flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
      .flatMap((node) => node.textContent?.match(/<?[−+-]?\$[\d,]+(?:\.\d+)?/g) ?? []),
  );

test('shows an amount with the same digits on every view, and totals that add up', async ({ page, service }) => {
  const request = { task: 'image.create', model: 'imgmodel-a-2.5-flare', input: { prompt: 'A pebble' } };
  const { id } = await waitForGeneration(service, (await postGeneration(service, request)).id);
  const refund = { generation_id: id, amount_usd: '0.0015', reason: 'A part of it' };
  await call(service, 'POST', '/v1/billing/refunds', refund);
  await call(service, 'POST', '/v1/billing/budgets', { scope: 'organization', limit_usd: '1.2345' });
  const { available_usd, spent_total_usd } = await fetchBillingSummary(service);
  const left = formatMoney(parseUsd('1.2345') - parseUsd(spent_total_usd));
  const [available, spent] = [formatMoney(available_usd), formatMoney(spent_total_usd)];
  const entries = await fetchLedger(service);
  const refunds = entries.filter(({ type }) => type === 'REFUND');
  const refunded = formatMoney(
    refunds.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n),
    { signed: true },
  );
  const inCents = (amount_usd: string) => {
    const cents = Number(parseUsd(amount_usd)) / 10_000;
    return [Math.floor(cents), Math.ceil(cents)].map((rounded) => formatMoney(BigInt(rounded) * 10_000n));
  };
  // What was available after an earlier entry can be a whole number of cents.
  const exact = new Set(entries.map(({ available_after_usd }) => formatMoney(available_after_usd)).concat('$0.00'));
  const rounded = [available_usd, spent_total_usd].flatMap(inCents).filter((amount) => !exact.has(amount));
  for (const [path, expected] of [
    ['/billing?by=model', [available, spent, left, '$0.003245']],
    ['/billing?part=pivot&rows=model&columns=task', [spent, '$0.003245']],
    ['/billing?part=statement', [available, spent, refunded]],
    ['/billing?part=ledger', ['−$0.003245', spent]],
    ['/billing?part=ledger&ledger=entries', ['−$0.004745', '+$0.0015', available]],
    ['/generations', ['$0.003245']],
    [`/generations/${id}`, ['−$0.004745', '+$0.0015', '$0.003245']],
  ] as const) {
    await openSignedIn(page, service, path);
    await expect.poll(() => shownAmounts(page), path).toEqual(expect.arrayContaining([...expected]));
    expect(
      (await shownAmounts(page)).filter((amount) => rounded.includes(amount)),
      path,
    ).toEqual([]);
  }

  await openSignedIn(page, service, '/billing');
  const parts = page.getByLabel('What the balance consists of').locator('dd');
  await expect(parts.last()).toHaveText(available);
  const amounts = (await parts.allTextContents()).map((text) =>
    parseUsd(text.replace('−', '-').replaceAll(/[+$,]/g, '')),
  );
  expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0n)).toBe(amounts.at(-1));
  await expect(page.getByRole('link', { name: /^Billing .* available$/ })).toContainText(available);

  await page.getByRole('button', { name: 'Change budget' }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Monthly budget/ });
  const limit = dialog.getByLabel('Dollars per month');
  await limit.fill('-5');
  await limit.press('Enter');
  await expect(dialog.getByText('Enter $0 or more.')).toBeVisible();
  const percent = dialog.getByRole('spinbutton', { name: 'Warn at' });
  await percent.fill('1e1');
  await limit.fill('0.05');
  await limit.press('Enter');
  await expect(dialog.getByText('Enter a whole number from 1 to 100.')).toBeVisible();
  await percent.fill('80');
  const warning = dialog.getByRole('alert').filter({ hasText: 'This stops all work for Everybody now.' });
  await expect(warning).toContainText(`${spent} is used this month.`);
  await limit.fill('1');
  await expect(warning).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog).toHaveCount(0);
});

test('finds a charge, opens it from any part of its row and walks to its neighbor', async ({ page, service }) => {
  const settled = (await fetchLedger(service)).find(({ type }) => type === 'SETTLE');
  await openSignedIn(page, service, '/billing?part=ledger');
  const rows = page.getByRole('table', { name: 'Charges' }).locator('[data-row-id]');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('f');
  const search = page.getByRole('searchbox', { name: /^Search number/ });
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

test('closes the open entry by Escape while the list beside it is empty or fails', async ({ page, service }) => {
  const [entry] = await fetchLedger(service);
  const panel = page.getByRole('complementary', { name: 'Open entry' });
  await openSignedIn(page, service, `/billing?part=ledger&q=no+such+words&open=${entry?.id}`);
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await expect(panel.getByRole('heading', { name: `Entry #${entry?.seq}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page).not.toHaveURL(/open=/);

  await page.route(/\/v1\/billing\/ledger\/lines/, (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(`/billing?part=ledger&open=${entry?.id}`);
  await expect(page.getByText(/The ledger .*not/)).toBeVisible();
  await expect(panel.getByRole('heading', { name: `Entry #${entry?.seq}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});

test('reads as a table at every width and by keyboard', async ({ page, service }) => {
  await openSignedIn(page, service, '/billing?ledger=entries');
  const table = page.getByRole('table', { name: 'Entries' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'Type',
    'Description',
    'Person and tags',
    'Time (UTC)',
    'Amount',
    'Available after',
  ]);
  const rows = table.locator('[data-row-id]');
  const description = rows.first().getByRole('link');
  // 720 px is a window of 1440 px at 200 % zoom.
  for (const [width, leastPx] of [
    [1440, 200],
    [1024, 200],
    [834, 200],
    [720, 200],
    [320, 90],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const cell = description.locator('xpath=..');
    await expect(cell).toBeVisible();
    await expect.poll(async () => (await cell.boundingBox())?.width, `${width} px`).toBeGreaterThan(leastPx);
    await expect(cell).toContainText('A pebble · Bootstrap key');
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.keyboard.press('j');
  await expect(description).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(rows.nth(1).getByRole('link')).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await table.evaluate((element) => element.contains(document.activeElement))).toBe(false);
  await page.keyboard.press('Shift+Tab');
  await expect(rows.nth(1).getByRole('link')).toBeFocused();
});

test('shows rows in the same frame after a jump through a long list', async ({ page, service }) => {
  for (let entry = 1; entry <= 90; entry += 1)
    await call(service, 'POST', '/v1/billing/credits', { amount_usd: '0.01', description: `Credit ${entry}` });
  await openSignedIn(page, service, '/billing?ledger=entries');
  await expect(page.getByRole('table', { name: 'Entries' }).locator('[data-row-id]').first()).toContainText(
    'Credit 90',
  );
  const jumpTo = (placePx: number) =>
    page.evaluate(
      (top) =>
        new Promise<string>((resolve) => {
          const look = () =>
            resolve(document.elementFromPoint(700, 450)?.closest<HTMLElement>('[data-row-id]')?.innerText ?? '');
          addEventListener('scroll', look, { once: true });
          scrollTo({ top });
        }),
      placePx,
    );
  const seen = [await jumpTo(4500), await jumpTo(400), await jumpTo(3000)];
  const titles = seen.map((row) => /Credit \d+/.exec(row)?.[0]);
  expect(titles).not.toContain(undefined);
  expect(new Set(titles).size).toBe(3);
});

test('keeps visible rows in place when new entries arrive above', async ({ page, service }) => {
  const credit = (description: string) =>
    call(service, 'POST', '/v1/billing/credits', { amount_usd: '0.01', description });
  for (let entry = 1; entry <= 60; entry += 1) await credit(`Credit ${entry}`);
  await openSignedIn(page, service, '/billing?ledger=entries');
  const entry = (description: string) =>
    page
      .getByRole('table', { name: 'Entries' })
      .locator('[data-row-id]')
      .filter({ hasText: new RegExp(`${description}(?!\\d)`) });
  const topOfEntry = async () => Math.round((await entry('Credit 30').boundingBox())?.y ?? Number.NaN);
  await expect(entry('Credit 60')).toBeVisible();
  await page.evaluate('scrollTo({ top: 2300 })');
  await expect(entry('Credit 30')).toBeInViewport();
  const before = await topOfEntry();
  for (let late = 1; late <= 12; late += 1) await credit(`Late ${late}`);
  await expect(async () => {
    // Simulates a return to the tab. Data read within the last second is not fetched again.
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await expect(entry('Credit 30')).toHaveAttribute('aria-rowindex', '44', { timeout: 500 });
  }).toPass();
  expect(await topOfEntry()).toBe(before);
  await page.evaluate('scrollTo({ top: 0 })');
  await expect(entry('Late 12')).toBeVisible();
});

test('adds a credit once when the response is lost and finds its entry by number', async ({ page, service }) => {
  const before = (await fetchLedger(service)).length;
  await openSignedIn(page, service, '/billing');
  await page.getByRole('button', { name: 'Add credit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add credit' });
  await dialog.getByLabel('Amount in dollars').fill('5');
  await dialog.getByPlaceholder('Budget for March').fill('Sent twice');
  const sent: (string | undefined)[] = [];
  await page.route('**/v1/billing/credits', async (route) => {
    sent.push(route.request().headers()['idempotency-key']);
    if (sent.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Add $5.00' }).click();
  await expect(dialog).toBeHidden();
  expect(sent).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), sent[0]]);
  const entries = await fetchLedger(service);
  expect(entries.filter(({ description }) => description === 'Sent twice')).toHaveLength(1);
  expect(entries).toHaveLength(before + 1);

  await openSignedIn(page, service, `/billing?ledger=entries&entry=${before + 1}`);
  const rows = page.getByRole('table', { name: 'Entries' }).locator('[data-row-id]');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(`#${before + 1}`);
  await expect(rows).toContainText('Sent twice');
});
