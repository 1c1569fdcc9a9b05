import type { Page } from '@playwright/test';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { call } from './support/api-client.ts';
import { addPerson } from './support/people.ts';
import { type LibrarySeed, seedLibrary } from './support/library-views.ts';
import { expect, openSignedIn, test } from './support/test.ts';

let seed: LibrarySeed;
test.beforeAll(async ({ services }, info) => {
  seed = await seedLibrary(await services.of(info.file, {}));
});

const tile = (page: Page, name: string) => page.locator('[data-tile]').and(page.getByLabel(name)).first();

test('asks a client for approval of a selection, and the answers return to the Library', async ({
  page,
  service,
  browser,
}) => {
  await test.step('upload a logo', async () => {
    await openSignedIn(page, service, '/settings');
    const [choice] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload logo' }).click(),
    ]);
    const [picture] = seed.pictures;
    const bytes = Buffer.from(await (await fetch(picture?.url ?? '')).arrayBuffer());
    await choice.setFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await expect(page.getByRole('alert').getByText('Nothing was changed.')).toBeVisible();
    const [second] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload logo' }).click(),
    ]);
    await second.setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: bytes });
    await expect(page.getByRole('img', { name: 'Current logo' })).toBeVisible();
  });

  let url = '';
  await test.step('share two files with a question and a code', async () => {
    await page.goto('/library');
    await tile(page, 'Image: fig.png').focus();
    await page.keyboard.press('x');
    await tile(page, 'Image: pear.png').focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share 2 files' });
    await dialog.getByRole('textbox', { name: 'Heading' }).fill('Fruit for the poster');
    await dialog.getByRole('combobox', { name: 'Ask the client for' }).selectOption('Approval');
    await dialog.getByRole('switch', { name: 'Require a code to answer' }).check();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expect(dialog.getByText('Enter a code, or switch it off.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Code' }).fill('amber-7');
    expect(await findA11yViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const created = page.getByRole('dialog', { name: 'Link created' });
    url = await created.locator('code').innerText();
    await created.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Clear selection' }).click();
  });

  // Answers count as new from the first look on.
  await page.waitForFunction(() => Object.keys(localStorage).some((name) => name.startsWith('emulsion.answers.')));
  const context = await browser.newContext({ javaScriptEnabled: false });
  const client = await context.newPage();
  const problems: string[] = [];
  client.on('console', (line) => line.type() === 'error' && problems.push(`${line.text()} ${line.location().url}`));
  await test.step('the client answers without script or account', async () => {
    await client.goto(url);
    await expect(client.getByText('Shared by')).toBeVisible();
    await expect(client.getByRole('button', { name: 'Approve' })).toHaveCount(0);
    await client.getByLabel('Your name').fill('Ana');
    await client.getByLabel('Code').fill('wrong');
    await client.getByRole('button', { name: 'Start' }).click();
    await expect(client.getByText('This code is not right.')).toBeVisible();
    await expect(client.getByLabel('Your name')).toHaveValue('Ana');
    await client.getByLabel('Code').fill('amber-7');
    await client.getByRole('button', { name: 'Start' }).click();
    await expect(client.getByText('Answering as Ana')).toBeVisible();

    const first = client.getByRole('form', { name: 'Your answer about Image 1' });
    await first.getByRole('button', { name: 'Approve' }).click();
    await expect(first.getByText('You approved this')).toBeVisible();
    const second = client.getByRole('form', { name: 'Your answer about Image 2' });
    await second.getByText('Add a note, or say what should change').click();
    await second.getByLabel('Your note').fill('Could it be warmer?');
    await second.getByRole('button', { name: 'Request changes' }).click();
    await expect(second.getByText('You asked for changes')).toBeVisible();
    await expect(second.getByLabel('Your note')).toHaveValue('Could it be warmer?');
    // The link keeps who answers, also from another site such as webmail.
    await client.goto('about:blank');
    await client.goto(url);
    await expect(client.getByText('You approved this')).toBeVisible();
    expect(problems.filter((text) => !text.includes('422') && !text.includes('favicon'))).toEqual([]);
  });

  await test.step('a notification, badges, a filter and the details show the answers', async () => {
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect(messages.getByText('2 new answers of clients')).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await messages.getByRole('button', { name: 'Show' }).click();
    await expect(page.locator('[data-tile]')).toHaveCount(2);
    await expect(tile(page, 'changes requested by Ana')).toBeVisible();
    await expect(page.getByText('Changes: Could it be warmer?')).toBeVisible();
    expect(await findA11yViolations(page)).toEqual([]);
    await tile(page, 'changes requested by Ana').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details.getByRole('heading', { name: 'Client answers' })).toBeVisible();
    await expect(details.getByText('Could it be warmer?')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('a member finds answers on their own page at the bell', async () => {
    const mia = await addPerson(service, 'member', 'Mia');
    const media_ids = seed.pictures.slice(0, 1).map(({ id }) => id);
    const shared = { media_ids, asks_for: 'picks', title: 'For Bo' };
    const { url: page_url } = await call<{ url: string }>(mia, 'POST', '/v1/shares', shared);
    await client.goto(page_url);
    await client.getByLabel('Your name').fill('Bo');
    await client.getByRole('button', { name: 'Start' }).click();
    await client.getByRole('button', { name: 'Pick' }).click();
    const own = await (await browser.newContext()).newPage();
    await openSignedIn(own, mia, '/create');
    await own.getByRole('button', { name: 'Client answers: 1 new' }).filter({ visible: true }).click();
    await own
      .getByRole('dialog', { name: 'Client answers' })
      .getByRole('link', { name: /^Bo: Picked/ })
      .click();
    await expect(own).toHaveURL(/\/library\?link=shr_/);
    await expect(own.locator('[data-tile]')).toHaveCount(1);
    await expect(
      own.getByRole('button', { name: 'Client answers', exact: true }).filter({ visible: true }),
    ).toBeVisible();
    await client.goto(url);
  });

  await test.step('Shared links list the answers and close the request', async () => {
    await page.goto('/library/shares');
    const links = page.getByRole('list', { name: 'Shared links' }).getByRole('listitem');
    const row = links.filter({ hasText: 'Fruit for the poster' });
    await expect(row).toContainText('Asks for approval with a code');
    await expect(row.getByRole('link', { name: '2 of 2 answered' })).toHaveAttribute('href', /\/library\?link=shr_/);
    expect(await findA11yViolations(page)).toEqual([]);
    await row.getByRole('button', { name: 'Change page' }).click();
    const change = page.getByRole('dialog', { name: 'Change this page' });
    await change.getByRole('combobox', { name: 'Ask the client for' }).selectOption('Nothing');
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(row).not.toContainText('Asks for');
    await client.reload();
    await expect(client.getByRole('form')).toHaveCount(0);
    await expect(client.getByRole('img', { name: 'Image 1' })).toBeVisible();
  });

  await test.step('the audit log says who did what', async () => {
    await page.goto('/audit?about=share');
    const main = page.getByRole('main');
    await expect(main).toContainText('Ana (client)');
    await expect(main).toContainText('on the share page “Fruit for the poster”: Could it be warmer?');
  });
  await context.close();
});
