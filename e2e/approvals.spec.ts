import type { Page } from '@playwright/test';
import type { Budget } from '#contract/resources/budget.ts';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import type { Me } from '#contract/resources/api-key.ts';
import { call } from './support/api-client.ts';
import { generateButton, resultRegion } from './support/create-page.ts';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import { addPerson, type PersonSession } from './support/people.ts';
import type { Service } from './support/service.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test.describe.configure({ mode: 'serial' });
test.use({ viewport: { width: 1440, height: 900 } });

const MODEL_PAGE = '/create/image.create/imgmodel-b-2';

let ana: PersonSession;
let admin: PersonSession;
test.beforeAll(async ({ services }, { file }) => {
  const service = await services.of(file, {});
  [ana, admin] = [await addPerson(service, 'member', 'Ana Lim'), await addPerson(service, 'administrator', 'Bea')];
});

const setLimit = (service: Service, approval_above_usd: string | null) =>
  call(service, 'PUT', '/v1/settings', { approval_above_usd });

/** Opens a page in another context, signed in as somebody else. */
async function openAs(page: Page, person: PersonSession, path: string): Promise<Page> {
  const context = await page
    .context()
    .browser()
    ?.newContext({ viewport: { width: 1440, height: 900 } });
  if (!context) throw new Error('No browser.');
  const opened = await context.newPage();
  await openSignedIn(opened, person, path);
  return opened;
}

/** Examines a dialog wide in light and narrow in the dark. */
async function examine(page: Page): Promise<void> {
  expect.soft(await findA11yViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await turn(page, 'dark');
  expect.soft(await findA11yViolations(page)).toEqual([]);
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

const askButton = (page: Page) => page.getByRole('button', { name: /^Ask for approval ·/ });

/** The dialog opens with the refusal. */
async function ask(page: Page, note: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Ask for approval' });
  await examine(page);
  await dialog.getByLabel('Note').fill(note);
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog).toHaveCount(0);
}

test('a member’s order above the limit runs once an administrator approves it', async ({ page, service }) => {
  await setLimit(service, '0.01');
  await call(service, 'PUT', '/v1/tags/client', { label: 'Client', required: true, values: null });
  const tagBudget = { scope: 'tag:client=Globex', limit_usd: '0.20' };
  const { id: budget_id } = await call<Budget>(service, 'POST', '/v1/billing/budgets', tagBudget);
  await openSignedIn(page, ana, MODEL_PAGE);
  await expect(page.getByText('Client Required')).toBeVisible();
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A kite over dunes');
  await expect(page.getByText('Above $0.01: an administrator has to approve it.')).toBeVisible();
  await page.getByRole('combobox', { name: /^Client/ }).fill('Globex');
  await askButton(page).click();
  await ask(page, 'For the autumn campaign');
  await expect(resultRegion(page).getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();
  await page.reload();
  await expect(resultRegion(page)).toContainText('“For the autumn campaign”');

  const review = await openAs(page, admin, '/create');
  const reviewLink = review.getByRole('link', { name: /^Billing/ }).first();
  await expect(reviewLink).toContainText('1 pending');
  await reviewLink.click();
  await review
    .getByRole('list', { name: 'Requests' })
    .getByRole('button', { name: /^Decide…/ })
    .click();
  const dialog = review.getByRole('dialog', { name: 'Order above the limit' });
  await expect(dialog).toContainText('Ana Lim');
  await expect(dialog).toContainText('For the autumn campaign');
  await expect(dialog).toContainText('A kite over dunes');
  await expect(dialog).toContainText(/When asked\$0\.04Now\$0\.04/);
  await expect(dialog).toContainText('ClientGlobex');
  await expect(dialog.getByRole('row', { name: /^Funds of everybody \$100\.00\s+\$99\.96/ })).toBeVisible();
  await expect(dialog.getByRole('row', { name: /^client: Globex, monthly budget \$0\.20\s+\$0\.16/ })).toBeVisible();
  await examine(review);
  await dialog.getByRole('button', { name: 'Approve · $0.04' }).click();
  await expect(review.getByRole('list', { name: 'Requests' })).toHaveCount(0);
  await expect(reviewLink).not.toContainText('pending');
  await review.context().close();

  await expect(resultRegion(page).getByRole('img', { name: 'Result' })).toBeVisible();
  await page.goto('/generations');
  await expect(page.getByText('A kite over dunes').first()).toBeVisible();
  await page.goto('/billing');
  const requests = page.getByRole('list', { name: 'Your requests' });
  await expect(requests.getByRole('listitem')).toContainText('Approved');
  await expect(requests.getByRole('link', { name: 'Open result' })).toBeVisible();
  const shared = page.getByRole('list', { name: 'Budgets' }).getByRole('listitem').filter({ hasText: 'Globex' });
  await expect(shared).toContainText('$0.16 of $0.20 left this month');
  await call(service, 'DELETE', `/v1/billing/budgets/${budget_id}`);
  await call(service, 'DELETE', '/v1/tags/client');
});

test('a request can be withdrawn, and a rejection says why', async ({ page, service }) => {
  await openSignedIn(page, ana, MODEL_PAGE);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A red balloon');
  await askButton(page).click();
  await ask(page, 'First try');
  await resultRegion(page)
    .getByRole('button', { name: /^Withdraw/ })
    .click();
  await expect(resultRegion(page).getByRole('heading', { name: 'Request withdrawn' })).toBeVisible();
  await resultRegion(page).getByRole('button', { name: 'Remove' }).click();
  await askButton(page).click();
  await ask(page, 'Second try');
  const { data } = await call<{ data: ApprovalRequest[] }>(service, 'GET', '/v1/requests?status=pending');
  expect(data.map(({ note }) => note)).toEqual(['Second try']);

  const review = await openAs(page, admin, '/review');
  await review.getByRole('button', { name: /^Decide…/ }).click();
  await review.getByRole('button', { name: 'Reject…' }).click();
  await review.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(review.getByText('Enter a reason.')).toBeVisible();
  await review.getByLabel('Reason').fill('Use the cheaper model');
  await review.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(review.getByRole('dialog')).toHaveCount(0);
  await review.context().close();
  await expect(resultRegion(page).getByRole('heading', { name: 'Not approved' })).toBeVisible();
  await expect(resultRegion(page)).toContainText('Bea: Use the cheaper model');
});

test('an order above a budget runs after an administrator raised it', async ({ page, service }) => {
  await setLimit(service, null);
  const { person } = await call<Me>(ana, 'GET', '/v1/me');
  const scope = `person:${person?.id}`;
  // What she spent so far counts, too.
  await call<Budget>(service, 'POST', '/v1/billing/budgets', { scope, interval: 'month', limit_usd: '0.05' });
  await openSignedIn(page, ana, MODEL_PAGE);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A green door');
  await expect(page.getByText('Above the budget: only $0.01 left this month for Ana Lim.')).toBeVisible();
  await generateButton(page).click();
  await expect(resultRegion(page).getByRole('heading', { name: 'Over budget' })).toBeVisible();
  await resultRegion(page).getByRole('button', { name: 'Ask for more' }).click();
  const asking = page.getByRole('dialog', { name: 'Ask for more' });
  await expect(asking.getByLabel('How much more')).toHaveValue('0.04');
  await asking.getByLabel('Note').fill('One more door');
  await asking.getByRole('button', { name: 'Send request' }).click();
  await expect(asking).toHaveCount(0);

  const review = await openAs(page, admin, '/review');
  await review.getByRole('button', { name: /^Decide…/ }).click();
  const dialog = review.getByRole('dialog', { name: 'More of a budget' });
  await expect(dialog).toContainText('$0.04 of $0.05 used');
  await examine(review);
  await dialog.getByLabel('Raise by').fill('1');
  await dialog.getByRole('button', { name: 'Approve · $1.00' }).click();
  await expect(review.getByText('No request waits for a decision.')).toBeVisible();
  await review.context().close();

  await resultRegion(page).getByRole('button', { name: 'Try again' }).click();
  await expect(resultRegion(page).getByRole('img', { name: 'Result' })).toBeVisible();
  await expect(page.getByText('$0.97 left this month for Ana Lim.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Billing $0.97 left this month' })).toBeVisible();
  await page.goto('/billing');
  await expect(page.getByLabel('Yours', { exact: true })).toContainText('Yours this month$0.97 left');
  await expect(page.getByLabel('Everybody’s')).toContainText('Available to everybody$99.92');
});

test('a workflow run above the limit starts once it is approved', async ({ page, service }) => {
  await setLimit(service, '0.01');
  await openSignedIn(page, ana, '/workflows/shot-list');
  await expect(page.getByText('4, 5 and 6 s cost the same.')).toBeVisible();
  await page.getByRole('button', { name: 'Use 6 s' }).click();
  await expect(page.getByRole('spinbutton', { name: 'Length of a shot' })).toHaveValue('6');
  await askButton(page).click();
  await ask(page, 'The film for the fair');
  await expect(page.getByText('Needs approval')).toHaveCount(0);
  await expect(page.getByText('Waiting for approval')).toBeVisible();
  const { data } = await call<{ data: ApprovalRequest[] }>(service, 'GET', '/v1/requests?status=pending');
  await call(admin, 'POST', `/v1/requests/${data[0]?.id}/decision`, { decision: 'approve' });
  await page.getByRole('link', { name: 'Open run' }).click();
  await expect(page).toHaveURL(/\/workflows\/runs\/run_/);
  await expect(page.getByRole('heading', { level: 1, name: 'Film from a shot list' })).toBeVisible();
  await call(ana, 'POST', `/v1/workflow-runs/${page.url().split('/').at(-1)}/cancel`, {});
});
