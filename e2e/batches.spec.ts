import type { Page } from '@playwright/test';
import type { Batch } from '#contract/resources/batch.ts';
import { call } from './support/api-client.ts';
import { chooseMore, navigateTo } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const startButton = (page: Page) => page.getByRole('button', { name: /^(Start|Checking)( |$)/ });
const rows = (page: Page) => page.getByRole('list', { name: 'Orders' }).getByRole('listitem');
const status = (page: Page) => page.getByRole('heading', { level: 1 }).locator('xpath=..');
const promptBox = (page: Page) => page.getByRole('textbox', { name: 'Prompts, one per line' });
const batchId = (page: Page) => /\/batches\/(bat_\w+)/.exec(page.url())?.[1] ?? '';

async function startPrompts(page: Page, prompts: readonly string[], stop_at?: string): Promise<void> {
  await page.goto('/batches/new?task=image.create&model=imgmodel-a-2');
  await promptBox(page).fill(prompts.join('\n'));
  if (stop_at !== undefined) await page.getByRole('textbox', { name: /^Stop at/ }).fill(stop_at);
  await expect(startButton(page)).toHaveText(new RegExp(`^Start ${prompts.length} ·`));
  await startButton(page).click();
  await expect(page).toHaveURL(/\/batches\/bat_/);
}

test('prices pasted prompts, keeps them over a reload, and shows the results', async ({ page, service }) => {
  await openSignedIn(page, service, '/create');
  await navigateTo(page, 'Batches');
  await expect(page.getByRole('heading', { name: 'No batches yet' })).toBeVisible();
  await page.getByRole('link', { name: 'New batch' }).first().click();
  await promptBox(page).fill('A red kite\n\nA blue kite\nA green kite');
  await expect(startButton(page)).toHaveText(/^Start 3 · \$0\.\d\d$/);
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first()).toContainText('$0.03');

  await page.getByRole('textbox', { name: 'Prompt, row 3' }).fill('A yellow kite');
  await page.getByRole('button', { name: 'Leave out row 4' }).click();
  await expect(startButton(page)).toHaveText(/^Start 2 ·/);
  await expect(promptBox(page)).toHaveValue('A red kite\n\nA yellow kite');
  await page.getByRole('textbox', { name: /^Name/ }).fill('Kites');
  await page.reload();
  await expect(promptBox(page)).toHaveValue('A red kite\n\nA yellow kite');
  await expect(page.getByRole('textbox', { name: /^Name/ })).toHaveValue('Kites');

  await expect(startButton(page)).toHaveText(/^Start 2 · \$0\.06$/);
  await startButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Kites' })).toBeVisible();
  await expect(status(page)).toContainText('Completed');
  await expect(page.getByRole('link', { name: /^Image of order 2: A yellow kite/ })).toBeVisible();
  await expect(page.getByText('$0.06 spent of about $0.06')).toBeVisible();
  await page.getByRole('link', { name: /^Image of order 2/ }).focus();
  await page.keyboard.press(' ');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'All 2 loaded' }).click();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('dialog', { name: 'Share 2 files' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('link', { name: /^Image of order 2/ }).hover();
  await page.getByRole('button', { name: /^Star A yellow kite/ }).click();
  await expect(page.getByRole('link', { name: /^Image of order 2.*starred$/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  expect((await download).suggestedFilename()).toBe(`${batchId(page)}.csv`);
  await page.getByRole('radio', { name: 'Orders' }).check();
  await expect(rows(page)).toContainText([/A red kite.*Succeeded/s, /A yellow kite.*Succeeded/s]);

  await navigateTo(page, 'Batches');
  await expect(page.getByRole('list', { name: 'Batches' })).toContainText('Kites');
  await page.getByRole('link', { name: 'New batch' }).click();
  await expect(promptBox(page)).toHaveValue('');
});

test('orders a hundred rows of a CSV file in four clicks, after a row was mended in place', async ({
  page,
  service,
}) => {
  const good = Array.from({ length: 98 }, (_, at) => `"A kite, number ${at + 1}",16:9,note ${at}`);
  const csv = `\ufeffPROMPT;aspect ratio;Notes\n${['A kite;4:7;', ';1:1;', ...good.map((row) => row.replaceAll('",', '";').replace(',note', ';note'))].join('\n')}\n`;
  await openSignedIn(page, service, '/create/image.create/imgmodel-a-2');
  await chooseMore(page, 'Many at once…');
  await page.getByText('CSV file', { exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a CSV file' }).click();
  await (await chooser).setFiles({ name: 'kites.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(page.getByRole('region', { name: 'Columns' })).toContainText('2 of 3 used');
  await expect(page.getByRole('combobox', { name: 'Field of column Notes' })).toHaveValue('ignored');
  await expect(startButton(page)).toHaveText('Start 98 · $2.94');

  await expect(rows(page).nth(0)).toContainText('Shape: “4:7” is not an option.');
  await expect(rows(page).nth(1)).toContainText('Prompt is required.');
  await expect(page.getByRole('textbox', { name: 'Prompt, row 3' })).not.toHaveAttribute('placeholder');
  const ratio = page.getByRole('combobox', { name: 'Shape, row 2', exact: true });
  await expect(ratio).toHaveAttribute('aria-invalid', 'true');
  await ratio.fill('16:9');
  await ratio.press('Enter');
  await expect(startButton(page)).toHaveText('Start 99 · $2.97');
  await page.getByText('1 problem', { exact: true }).click();
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('textbox', { name: /^Stop at/ }).fill('0.05');
  await startButton(page).click();
  await expect(page.getByText('1 row was not started', { exact: true })).toBeVisible();
  await expect(page.getByText('The limit is reached')).toBeVisible();
  await page.goto('/batches/new');
  await expect(rows(page)).toContainText('Prompt is required.');
  await expect(rows(page)).toHaveCount(1);
});

test('starts no row of a table until a column is the prompt, and takes pasted cells', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create/imgmodel-a-2');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A glass bottle');
  await chooseMore(page, 'Many at once…');
  await page.getByText('CSV file', { exact: true }).click();
  const csv = 'Headline;Format\r\nA red mug, studio light;1:1\r\nA blue mug, grün glazed;16:9\r\n';
  // As Excel saves “CSV”: in the encoding of the system.
  const file = { name: 'excel.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') };
  await page.locator('input[type=file][aria-label="CSV file"]').setInputFiles(file);
  await expect(page.getByText('2 rows')).toBeVisible();
  await expect(page.getByText('choose another: “A blue mug, grün glazed · 16:9”')).toBeVisible();
  await page.getByRole('combobox', { name: 'Encoding' }).selectOption('Cyrillic (Windows-1251)');
  await expect(page.getByText('choose another: “A blue mug, grьn glazed · 16:9”')).toBeVisible();
  await page.getByRole('combobox', { name: 'Encoding' }).selectOption('Western European (Windows-1252)');
  const start = page.getByRole('button', { name: 'Start', exact: true });
  await expect(start).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('No column is used. Choose what each one fills under “Columns”.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Field of column Format' }).selectOption('Shape');
  await expect(page.getByText('No column is the prompt. Choose it under “Columns”.')).toBeVisible();
  await expect(start).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('checkbox', { name: 'Use one prompt for every row' }).check();
  await expect(page.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue('A glass bottle');
  await expect(startButton(page)).toHaveText('Start 2 · $0.06');
  await page.getByRole('combobox', { name: 'Field of column Headline' }).selectOption('Prompt');
  await expect(page.getByRole('checkbox', { name: 'Use one prompt for every row' })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Prompt, row 2' })).toHaveValue('A red mug, studio light');
  await expect(startButton(page)).toHaveText('Start 2 · $0.06');

  await page.getByText('Prompts', { exact: true }).click();
  await promptBox(page).evaluate((box) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'prompt\taspect ratio\r\nA green mug, "old"\t3:2\r\n');
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Pasted as a table')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Prompt, row 2' })).toHaveValue('A green mug, "old"');
  await expect(startButton(page)).toHaveText('Start 1 · $0.03');
});

test('resumes a batch at its limit, and pauses and cancels another', async ({ page, service }) => {
  await openSignedIn(page, service, '/batches');
  await startPrompts(page, ['One kite', 'Two kites', 'Three kites'], '0.07');
  await expect(status(page)).toContainText('Paused');
  await expect(page.getByText('The limit is reached')).toBeVisible();
  await expect(page.getByText('2 of 3 done')).toBeVisible();
  await page.getByRole('button', { name: 'Resume…' }).click();
  const resume = page.getByRole('dialog', { name: 'Resume this batch' });
  const limit = resume.getByRole('textbox', { name: /^Stop at/ });
  await expect(limit).toHaveValue('0.09');
  await limit.fill('0.07');
  await resume.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(resume.getByText('The limit of $0.07 is reached already.')).toBeVisible();
  await limit.fill('0.09');
  await resume.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(status(page)).toContainText('Completed');

  const input = { prompt: 'A long pan over dunes', duration_seconds: 30, resolution: '1080p' };
  const orders = Array.from({ length: 10 }, () => ({ task: 'video.create', model: 'vidmodel-c-2.5', input }));
  const { id } = await call<Batch>(service, 'POST', '/v1/batches', { mode: 'list', orders });
  await page.goto(`/batches/${id}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(status(page)).toContainText('Paused');
  await expect(page.getByText('Paused by request')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this batch?' });
  await dialog.getByRole('checkbox', { name: /^Also cancel/ }).check();
  await dialog.getByRole('button', { name: 'Cancel batch' }).click();
  await expect(status(page)).toContainText('Canceled');
  await page.getByRole('button', { name: /canceled$/ }).click();
  await expect(rows(page)).toHaveCount(10);
});
