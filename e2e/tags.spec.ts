import type { InvitationCreated } from '#contract/resources/person.ts';
import { call, postGeneration, waitForGeneration } from './support/api-client.ts';
import { generate, generateButton } from './support/create-page.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, test } from './support/test.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('a tag is defined, asked for, and broken down in spending and statements', async ({ page, service }) => {
  await test.step('sign in as a person: rules of tags hold for people', async () => {
    const body = { role: 'administrator', name: 'Mia Chen' };
    await page.goto((await call<InvitationCreated>(service, 'POST', '/v1/invitations', body)).url);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('button', { name: /^(Later|Open the studio)$/ }).click();
    await expect(page.getByRole('navigation', { name: 'Main' }).first()).toBeVisible();
  });

  await test.step('define a required tag with values, and one with any text', async () => {
    await page.goto('/settings');
    for (const [label, values, required] of [
      ['Client', 'Acme\nBeta', true],
      ['Project', '', false],
    ] as const) {
      await page.getByRole('button', { name: 'New tag' }).click();
      const dialog = page.getByRole('dialog', { name: 'New tag' });
      await dialog.getByRole('textbox', { name: 'Label' }).fill(label);
      await dialog.getByRole('textbox', { name: /^Values/ }).fill(values);
      if (required) await dialog.getByRole('checkbox', { name: 'Required' }).check();
      expect(await findA11yViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create tag' }).click();
      await expect(page.getByRole('list', { name: 'Tags' })).toContainText(label);
    }
  });

  await test.step('the form asks for the values and keeps them', async () => {
    await page.goto('/create/image.create/imgmodel-b-2');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A kite over dunes');
    const client = page.getByRole('combobox', { name: /^Client/ });
    await expect(client).toBeVisible();
    await generateButton(page).click();
    await expect(client).toHaveAccessibleDescription(/Choose a value for “Client”\./);
    await expect(client).toBeFocused();
    await client.selectOption('Acme');
    await expect(page.getByText('Choose a value for “Client”.')).toHaveCount(0);
    const project = page.getByRole('combobox', { name: /^Project/ });
    await project.fill('Spring film');
    await page.getByRole('button', { name: 'Add tags to the files' }).click();
    await expect(page.getByRole('combobox', { name: 'Add a tag' })).toBeFocused();
    await page.keyboard.type('Kites');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Remove tag Kites' })).toBeVisible();
    await generate(page);

    await page.reload();
    await expect(client).toHaveValue('Acme');
    await project.fill('spr');
    await expect(page.getByRole('option', { name: 'Spring film' })).toBeVisible();
    expect(await findA11yViolations(page)).toEqual([]);
    await project.press('ArrowDown');
    await project.press('Enter');
    await expect(project).toHaveValue('Spring film');
    await expect(page.getByRole('listbox')).toHaveCount(0);
  });

  await test.step('the generation shows them, and its list is filtered by them', async () => {
    const untagged = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A harbor at dawn' } };
    await waitForGeneration(service, (await postGeneration(service, untagged)).id);
    await page.goto('/generations');
    await page
      .getByRole('link', { name: /A kite over dunes/ })
      .first()
      .click();
    // It loads above the tags and moves them.
    await expect(page.getByRole('list', { name: 'Money trail' })).toBeVisible();
    const panel = page.getByRole('complementary', { name: 'Open generation' });
    await expect(panel.getByRole('link', { name: 'Kites', exact: true })).toBeVisible();
    await expect(panel).toContainText('tags that you add here change no money');
    await panel.getByRole('combobox', { name: 'Add a tag' }).fill('Hero');
    await panel.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(panel.getByRole('link', { name: 'Hero', exact: true })).toBeVisible();
    expect(await findA11yViolations(page)).toEqual([]);
    await panel.getByRole('link', { name: 'Acme', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Client: Acme');
    await expect(page.getByText('A harbor at dawn')).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove filter Client: Acme' }).click();
    await expect(page.getByText('A harbor at dawn').first()).toBeVisible();
  });

  await test.step('spending by tag adds up with work without one', async () => {
    await page.goto('/billing?part=report&rows=tag:client&columns=person');
    const table = page.getByRole('region', { name: 'Spending table' });
    await expect(table.getByRole('row', { name: /^\(none\)/ })).toBeVisible();
    await expect(table.getByRole('row', { name: /^Acme/ })).toBeVisible();
    expect(await findA11yViolations(page)).toEqual([]);
    await table.getByRole('link', { name: 'Programs' }).click();
    await expect(page.getByRole('combobox', { name: 'Person' })).toHaveValue('(none)');
  });

  await test.step('the ledger is filtered by a value that is not listed', async () => {
    const metadata = { client: 'Unlisted' };
    const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A pier' }, metadata };
    await waitForGeneration(service, (await postGeneration(service, order)).id);
    await page.goto('/billing?part=ledger');
    const rows = page.getByRole('table', { name: 'Charges' }).locator('[data-row-id]');
    await expect.poll(() => rows.count()).toBeGreaterThan(2);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('dialog', { name: 'Filters' }).getByLabel('Client').fill('unl');
    await page.getByRole('option', { name: 'Unlisted' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Client: Unlisted');
    await expect(rows).toHaveCount(1);
  });

  await test.step('a statement is limited to a value, and exported by tag', async () => {
    await page.goto('/billing?part=statement');
    await expect(page.getByText('Available at start')).toBeVisible();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const client = page.getByRole('dialog', { name: 'Filters' }).getByLabel('Client');
    await client.fill('acm');
    await page.getByRole('option', { name: 'Acme' }).click();
    expect(await findA11yViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByText('Available at start')).toHaveCount(0);
    await page.getByRole('button', { name: 'Export…' }).click();
    const options = page.getByRole('dialog', { name: 'Export' });
    await options.getByLabel('Spent by').selectOption('Client');
    await expect(options.getByLabel('Include our costs')).not.toBeChecked();
    expect(await findA11yViolations(page)).toEqual([]);
    const arriving = page.waitForEvent('download');
    await options.getByRole('button', { name: 'Export PDF' }).click();
    expect((await arriving).suggestedFilename()).toMatch(/^statement \d{4}-\d\d tag-client\.pdf$/);
    const costs = page.waitForEvent('download');
    await options.getByRole('button', { name: 'Provider costs' }).click();
    expect((await costs).suggestedFilename()).toMatch(/^focus costs \d{4}-\d\d\.csv$/);
  });
});
