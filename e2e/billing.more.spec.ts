import type { Page } from '@playwright/test';
import { formatMoney, formatMoneyToCent, parseUsd } from '#contract/money/money.ts';
import { call, fetchBillingSummary, fetchLedger, postGeneration, waitForGeneration } from './support/api-client.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test.describe.configure({ mode: 'serial' });
test.use({ viewport: { width: 1440, height: 900 } });

/** Every amount of the account on the page, without the labels of the chart’s axis and published prices. */
const shownAmounts = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) =>
    [...main.querySelectorAll('*')]
      .filter((element) => element.closest('[aria-hidden="true"], section[aria-label="Prices"]') === null)
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
    ['/billing?part=report&rows=model&columns=task', [spent, '$0.003245']],
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
  const balance = page.getByRole('link', { name: /^Billing .* available$/ });
  await expect(balance).toContainText(formatMoneyToCent(available_usd));
  await expect(balance.locator('[data-tooltip]').last()).toHaveAttribute('data-tooltip', `${available} available`);

  await page.getByRole('button', { name: 'Change budget' }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Monthly budget/ });
  const limit = dialog.getByLabel('Dollars per month');
  await limit.fill('-5');
  await limit.press('Enter');
  await expect(dialog.getByText('Enter $0 or more.')).toBeVisible();
  const percent = dialog.getByRole('spinbutton', { name: 'Warn at' });
  await percent.fill('1e1');
  await limit.fill('0.003');
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
