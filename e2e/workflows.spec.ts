import { postGeneration, waitForGeneration, fetchLedger, uploadFile } from './support/api-client.ts';
import { makeClip, createTempDirectory } from './support/clips.ts';
import { expectRowsInPlace } from './support/late-list.ts';
import { parseDollars, navigateTo } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';
import { FAILING_WORKFLOW, waitForRunEnd, fetchRun, ensureStarter, postRun } from './support/workflow-fixture.ts';

import { runButton, inTime, fold, unfold, status, panel, starterNamed, runOf } from './support/workflow-pages.ts';
test('runs a workflow from its form at the quoted price and matches Billing', async ({ page, service }) => {
  await openSignedIn(page, service, '/create');
  await navigateTo(page, 'Workflows');
  await starterNamed(page, 'Images from popular posts').click();
  await page.getByRole('textbox', { name: 'Topic' }).fill('street food at night');
  await page.getByRole('textbox', { name: 'Style' }).fill('bright, one strong colour');
  await page.getByRole('spinbutton', { name: 'Ideas' }).fill('2');
  await expect(runButton(page)).toHaveText(/Run · at most \$0\.0\d+/);
  await page.getByRole('button', { name: 'Price', exact: true }).click();
  await expect(page.getByRole('row', { name: /^Images Up to 2 times/ })).toContainText('at most $0.04');
  const [most] = parseDollars([
    (
      await page
        .getByRole('row', { name: /^At most/ })
        .getByRole('cell')
        .innerText()
    ).trim(),
  ]);

  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Style' })).toHaveValue('bright, one strong colour');
  await runButton(page).click();
  const id = await runOf(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Images from popular posts' })).toBeVisible();
  await expect(status(page)).toContainText('Succeeded');
  await unfold(page, 'Timeline');
  await expect(inTime(page)).toContainText([/Ideas\s*Succeeded/, /Images\s*Succeeded\s*2 of 2 done/]);
  await expect(page.getByRole('button', { name: /^Enlarge pictures/ })).toHaveCount(2);

  const entries = (await fetchLedger(service)).filter((entry) => entry.workflow_run_id === id);
  const paid = -entries.reduce((sum, { amount_usd }) => sum + Math.round(Number(amount_usd) * 1e6), 0) / 1e6;
  expect(paid).toBeGreaterThan(0);
  expect(paid).toBeLessThanOrEqual(most ?? 0);
  await unfold(page, 'Cost');
  expect(parseDollars([await fold(page, 'Cost').locator('summary').innerText()])).toEqual([paid]);
  await page.getByRole('link', { name: 'View in ledger' }).click();
  await expect(page.getByLabel('Totals')).toContainText(`Entries${entries.length}`);
  await page.getByRole('link', { name: 'Open run', exact: true }).click();

  // The result comes first.
  await expect(page.getByRole('button', { name: /^Enlarge pictures/ })).toHaveCount(2);
  await expect(inTime(page)).toHaveCount(0);
  await unfold(page, 'Timeline');
  await inTime(page).getByRole('link', { name: 'Images' }).click();
  await panel(page).getByRole('list', { name: 'Items' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/generations\/gen_/);
  await page.getByRole('link', { name: 'Open run', exact: true }).click();
  expect(await runOf(page)).toBe(id);

  await page.getByRole('link', { name: 'Reuse settings' }).click();
  await expect(page.getByText('Inputs restored from an earlier run')).toBeVisible();
  await expect(page.getByRole('spinbutton', { name: 'Ideas' })).toHaveValue('2');
  await page.goto('/workflows?part=runs&starter=ideas-to-pictures&status=failed');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('list', { name: 'Runs' }).getByRole('listitem')).toContainText(['street food at night']);
});

test('explains a failed step, stops dependent steps and retries without charging twice', async ({ page, service }) => {
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'short.mp4', { seconds: 1 }));
  await ensureStarter(service, FAILING_WORKFLOW);
  const first = await postRun(service, FAILING_WORKFLOW.slug, {
    prompt: 'A fox in the snow',
    video: { url: clip.url },
  });
  await openSignedIn(page, service, `/workflows/runs/${first.id}`);
  await expect(status(page)).toContainText('Failed');
  await expect(page.getByRole('alert')).toContainText('“Cut” failed');
  await expect(inTime(page)).toContainText([
    /Picture\s*Succeeded/,
    /Cut\s*Failed/,
    /Still\s*Not started.*because “Cut” did not finish/,
    /Poster\s*Skipped.*Skipped in this run/,
  ]);
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(page).not.toHaveURL(new RegExp(first.id));
  const second = await runOf(page);
  await expect(page.getByText('Retry of an earlier run')).toBeVisible();
  await expect(inTime(page).first()).toContainText('Kept');
  await waitForRunEnd(service, second);
  expect((await fetchRun(service, second)).usage.amount_usd).toBe('0.00');
  await page.getByRole('link', { name: 'Open earlier run' }).click();
  await page.getByRole('link', { name: 'Open new run' }).click();
  expect(await runOf(page)).toBe(second);
  await expectRowsInPlace(page, '/workflows?part=runs', /\/v1\/workflow-(runs|starters)(\?|$)/);
});

test('saves a generation as a workflow, edits it and keeps the draft after a reload', async ({ page, service }) => {
  const { id } = await postGeneration(service, {
    task: 'image.create',
    model: 'imgmodel-b-2-lite',
    input: { prompt: 'Three pears on a windowsill' },
  });
  await waitForGeneration(service, id);
  await openSignedIn(page, service, `/generations/${id}`);
  await page.getByRole('link', { name: 'Save as workflow' }).click();
  const check = page.getByRole('region', { name: 'Validation' });
  await expect(check).toContainText('Ready to save.');
  await expect(check).toContainText('$0.02');
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Pears');

  await page.getByRole('button', { name: 'Add step' }).click();
  await page.getByRole('menuitem', { name: 'Edit an image' }).click();
  const step = page.getByRole('list', { name: 'Steps', exact: true }).getByRole('listitem').nth(1);
  const prompt = step.getByRole('textbox', { name: 'Prompt', exact: true });
  const expression = step.getByRole('textbox', { name: 'Prompt as expression' });
  await step.getByText('Advanced', { exact: true }).click();
  await step.getByRole('combobox', { name: 'Setting' }).selectOption({ label: 'Prompt' });
  await expression.fill('{{ $uppercase( }}');
  await expect(check.getByRole('list', { name: 'Problems' })).toBeVisible();
  await expect(prompt).toHaveAttribute('aria-invalid', 'true');
  await expect(prompt).toHaveText('Expression');
  await page.reload();
  await expect(page.getByText('Unsaved draft restored')).toBeVisible();
  await check.getByRole('list', { name: 'Problems' }).getByRole('button').first().click();
  await expect(prompt).toBeFocused();
  await step.getByText('Advanced', { exact: true }).click();
  await expression.fill('{{ $uppercase("paint it blue") }}');
  await expect(check).toContainText('Ready to save.');

  await page.getByText('Advanced', { exact: true }).last().click();
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Workflow JSON' });
  await expect(json).toHaveValue(/\$uppercase/);
  await json.fill((await json.inputValue()).replace('"Pears"', '"Blue pears"'));
  await page.getByRole('button', { name: 'Back to form' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue('Blue pears');
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Blue pears' })).toBeVisible();

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Pears, then in blue.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Pears, then in blue.')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete workflow' }).click();
  await expect(page).toHaveURL('/workflows');
  await expect(starterNamed(page, 'Blue pears')).toHaveCount(0);
});
