import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { call, uploadFile } from './support/api-client.ts';
import { makeClip, createTempDirectory } from './support/clips.ts';
import { navigateTo } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';
import { waitForRunEnd, ensureStarter, SLOW_WORKFLOW, postRun, TRIMS } from './support/workflow-fixture.ts';

import { runButton, inTime, unfold, status, panel, starterNamed, runOf } from './support/workflow-pages.ts';
test('retries a failed run with a changed input and keeps its finished step', async ({ page, service }) => {
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'trim.mp4', { seconds: 2 }));
  await ensureStarter(service, TRIMS);
  const input = { prompt: 'A fox in the snow', video: { url: clip.url }, start: 50 };
  const first = await waitForRunEnd(service, (await postRun(service, TRIMS.slug, input)).id);
  await openSignedIn(page, service, `/workflows/runs/${first.id}`);
  await page.getByRole('link', { name: 'Change inputs and retry' }).click();
  await expect(page.getByRole('spinbutton', { name: 'Start' })).toBeFocused();
  const outcome = page.getByRole('list', { name: 'Steps of the new run' }).getByRole('listitem');
  const retry = page.getByRole('button', { name: /^Retry/ });
  await expect(outcome).toContainText([/Image\s*Kept/, /Trim\s*Runs/]);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A hare in the snow');
  await expect(outcome).toContainText([/Image\s*Runs again · \$0\.0\d/, /Trim\s*Runs/]);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A fox in the snow');
  await expect(outcome.first()).toContainText('Kept');
  await page.getByRole('spinbutton', { name: 'Start' }).fill('0');
  await retry.click();
  await expect(page).not.toHaveURL(/retry/);
  const second = await waitForRunEnd(service, await runOf(page));
  expect(second).toMatchObject({ status: 'succeeded', retry_of: first.id, input: { start: 0 } });
  expect(second.steps.map(({ kept }) => kept)).toEqual([true, false]);
});

test('inspects, cancels and leaves a run by keyboard', async ({ page, service }) => {
  await ensureStarter(service, SLOW_WORKFLOW);
  await openSignedIn(page, service, '/workflows/slow');
  await expect(runButton(page)).toHaveText('Run · $2.55');
  await page.keyboard.press('Control+Enter');
  await runOf(page);
  await expect(inTime(page)).toContainText([/Clip\s*Running/, /Sound\s*Waiting.*Waiting for “Clip”/]);
  await inTime(page).getByRole('link', { name: 'Clip' }).focus();
  await page.keyboard.press('Tab');
  await expect(inTime(page).getByRole('link', { name: 'Sound' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page)).toContainText('Waiting for “Clip”.');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Reason' }).fill('The wrong dunes');
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await expect(status(page)).toContainText('Canceled');
  await expect(page.getByText('“The wrong dunes”')).toBeVisible();
  await page.goto('/workflows?part=runs');
  const row = page.getByRole('list', { name: 'Runs' }).getByRole('link', { name: 'A long clip' }).first();
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(status(page)).toContainText('Canceled');
});

test('starts nothing without funds and runs once credit is added', async ({ page, service }) => {
  const take = (amount_usd: string) =>
    call(service, 'POST', '/v1/billing/credits', { amount_usd, description: 'For the test' });
  const { available_usd } = await call<{ available_usd: string }>(service, 'GET', '/v1/billing/summary');
  await take(`-${available_usd}`);
  await ensureStarter(service, SLOW_WORKFLOW);
  await openSignedIn(page, service, '/workflows/slow');
  await runButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Not enough funds');
  await expect(page.getByRole('alert')).toContainText('You need $2.55 more');
  await take(available_usd);
  // A budget that is too small says so itself.
  const budget = { key_id: null, limit_usd: '0.01', contact: 'Priya in finance' };
  await call(service, 'POST', '/v1/billing/budgets', budget);
  await runButton(page).click();
  await expect(page.getByRole('alert')).toContainText(
    /Over budget.*budget of this organization.*contact Priya in finance\./,
  );
  await expect(page.getByRole('alert').getByRole('button', { name: 'Change budget' })).toBeVisible();
  await call(service, 'DELETE', '/v1/billing/budgets/organization');
  // The answer is lost on its way, and the same order is sent once more: there is one run of it.
  await page.route('**/v1/workflow-runs', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await runButton(page).click();
  await expect(page.getByRole('alert')).toContainText('No response yet');
  await page.unroute('**/v1/workflow-runs');
  await runButton(page).click();
  const id = await runOf(page);
  const runs = await call<{ data: { id: string; status: string }[] }>(
    service,
    'GET',
    '/v1/workflow-runs?status=running',
  );
  expect(runs.data.map((run) => run.id)).toEqual([id]);
  await call(service, 'POST', `/v1/workflow-runs/${id}/cancel`, {});
});

test('changes a copy by keyboard without an expression', async ({ page, service }) => {
  await openSignedIn(page, service, '/workflows/ideas-to-pictures');
  await page.getByRole('link', { name: 'Duplicate and edit' }).click();
  const check = page.getByRole('region', { name: 'Validation' });
  await expect(check).toContainText('Ready to save.');
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Posters of ideas');
  const steps = page.getByRole('list', { name: 'Steps', exact: true }).locator('> li');
  const images = steps.nth(1);
  await images.getByRole('combobox', { name: 'Model' }).selectOption('imgmodel-b-2');

  // References are chips with the names of their inputs, also while these are renamed.
  const prompt = images.getByRole('textbox', { name: 'Prompt', exact: true });
  await expect(prompt).toHaveText('Topic: Expression. Style. No text.');
  await page.getByRole('button', { name: /^Style/ }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Look');
  await expect(prompt).toHaveText('Topic: Expression. Look. No text.');
  await prompt.fill('A poster in the style ');
  await images.getByRole('button', { name: 'Fill Prompt from…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Look/ }).press('Enter');
  await expect(prompt).toBeFocused();
  await page.keyboard.type(', no text');
  await expect(prompt).toHaveText('A poster in the style Look, no text');
  await images.getByRole('button', { name: 'Remove shape 1' }).click();
  await images.getByRole('radio', { name: '16:9' }).check();

  await page.getByRole('button', { name: 'Actions for Topic' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Move down' }).press('Enter');
  const inputs = page.getByRole('list', { name: 'Inputs' }).locator('> li');
  await expect(inputs).toContainText([/^Platform/, /^Topic/]);
  await page.getByRole('button', { name: 'Actions for Ideas' }).last().click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('“Ideas” deleted', { exact: true })).toBeVisible();
  await expect(steps).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(steps).toHaveCount(2);
  await expect(check).toContainText('Ready to save.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Posters of ideas' })).toBeVisible();
  const { definition } = await call<{ definition: WorkflowDefinition }>(
    service,
    'GET',
    '/v1/workflow-starters/posters-of-ideas',
  );
  expect(definition.steps[1]?.input).toMatchObject({
    prompt: 'A poster in the style {{ input.style }}, no text',
    aspect_ratio: '16:9',
  });
  expect(Object.keys(definition.input_schema['properties'] as object).slice(0, 2)).toEqual(['platform', 'topic']);
});

test('shows a problem of a new workflow after its field was left', async ({ page, service }) => {
  await openSignedIn(page, service, '/workflows/new');
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
  await expect(page.getByText('Enter a name to save this workflow.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Problems' })).toHaveCount(0);
  await expect(name).not.toHaveAttribute('aria-invalid', 'true');
  await name.focus();
  await page.keyboard.press('Tab');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill('Pears');
  await expect(name).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByText('Advanced', { exact: true }).last().click();
  await expect(page.getByRole('textbox', { name: 'URL name' })).toHaveValue('pears');
  await page.getByRole('textbox', { name: 'URL name' }).fill('runs');
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await expect(page.getByText('This name is reserved. Choose another one.').first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'URL name' })).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('runs a workflow and opens its steps over the page', async ({ page, service }) => {
    await openSignedIn(page, service);
    await navigateTo(page, 'Workflows');
    await starterNamed(page, 'Images from popular posts').tap();
    await page.getByRole('textbox', { name: 'Topic' }).fill('street food');
    await page.getByRole('spinbutton', { name: 'Ideas' }).fill('1');
    await runButton(page).tap();
    await runOf(page);
    await expect(status(page)).toContainText('Succeeded');
    await unfold(page, 'Timeline');
    await inTime(page).getByRole('link', { name: 'Images' }).tap();
    await expect(panel(page).getByRole('list', { name: 'Items' }).getByRole('listitem')).toHaveCount(1);
    await page.goBack();
    await expect(panel(page)).toBeHidden();
    await expect(status(page)).toContainText('Succeeded');
  });
});
