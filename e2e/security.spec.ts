import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { call, postGeneration, waitForGeneration } from './support/api-client.ts';
import { makeClip, createTempDirectory } from './support/clips.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { uploadToField, navigateTo, generate, generateButton, resultRegion } from './support/create-page.ts';
import { CREDENTIAL, expect, openSignedIn, signInByKey, requestSignInLink, test } from './support/test.ts';

/** Reads everything the page stores outside of its document. */
const readStoredData = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify({
      local: Object.entries(localStorage),
      session: Object.entries(sessionStorage),
      addresses: navigation.entries().map(({ url }) => url),
      cookies: document.cookie,
      window: { name: window.name, state: history.state as unknown },
    }),
  );

test('sends security headers with every page', async ({ request }) => {
  for (const address of ['/', '/create/image.create', '/generations/gen_x', '/sign-in']) {
    const headers = (await request.get(address, { headers: { accept: 'text/html' } })).headers();
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
  }
});

test('stores no key and no session that scripts can read, and ends the session on sign-out', async ({
  page,
  service,
}) => {
  await signInByKey(page, service, '/create/image.create/imgmodel-b-2-lite');
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  const session = cookie?.value ?? '';
  expect(session).toMatch(/^mgs_ses_/);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A secret garden');
  await generate(page);
  for (const name of ['Generations', 'Billing', 'Keys', 'Models & prices', 'Connect a tool', 'Organization']) {
    await navigateTo(page, name);
    expect(await readStoredData(page), name).not.toMatch(CREDENTIAL);
  }
  await expect(page.locator('body')).not.toContainText(CREDENTIAL);

  await page.goto('/account');
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect((await ended).status()).toBe(204);
  await expect(call(service, 'GET', '/v1/me')).resolves.toBeDefined();
  await expect(call({ url: service.url, key: session }, 'GET', '/v1/me')).rejects.toThrow('401');
  await expect.poll(() => readStoredData(page)).not.toContain('A secret garden');
  expect(await readStoredData(page)).not.toMatch(CREDENTIAL);
  await navigateTo(page, 'Create');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('');
  await expect(resultRegion(page).getByRole('heading', { name: 'No result yet' })).toBeVisible();
  await navigateTo(page, 'Generations');
  await expect(page.getByRole('heading', { name: 'Sign in to see generations' })).toBeVisible();
  await page.goBack();
  await expect(page.locator('body')).not.toContainText('A secret garden');
});

/** Files in which the browser stores URLs: history, favicons and restorable tabs. */
const HISTORY_FILES =
  /^(History|Favicons|Top Sites|Visited Links|Shortcuts|Network Action Predictor|Sessions|.*-journal)/;

function readHistory(profile: string): string {
  const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && HISTORY_FILES.test(path.relative(profile, path.join(entry.parentPath, entry.name))),
  );
  // Session files store text as UTF-16.
  const bytes = Buffer.concat(files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name))));
  return bytes.toString('latin1') + bytes.toString('utf16le') + bytes.subarray(1).toString('utf16le');
}

test('leaves no key, session or working link in the browser’s history', async ({
  playwright,
  launchOptions,
  service,
}) => {
  const folder = createTempDirectory();
  const link = await requestSignInLink(service);
  const browser = await playwright.chromium.launchPersistentContext(folder, launchOptions);
  const page = await browser.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/create/);
  await navigateTo(page, 'Organization');
  await browser.close();

  const history = readHistory(path.join(folder, 'Default'));
  expect(history).toContain(`${service.url}/settings`);
  expect(history).not.toMatch(/mgs_(org|usr|ses)_/);
  const tokens = new Set(history.match(/mgs_lnk_[\w-]{43}/g));
  expect([...tokens]).toEqual([new URL(link).hash.slice('#token='.length)]);
  for (const token of tokens) {
    await expect(call(service, 'POST', '/v1/sign-in', { token })).rejects.toThrow('401');
  }
});

test('explains a used sign-in link and offers sign-in by key', async ({ page, service }) => {
  const link = await requestSignInLink(service);
  await page.goto(link);
  // Opening the page does not use the link, so that link scanners do not break it.
  await page.goto('/sign-in');
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/create/);

  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('This sign-in link was already used or has expired.');
  await expect(page.getByRole('alert')).toContainText('npm run admin -- sign-in');
  expect(await findA11yViolations(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Key' }).fill(service.key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/create/);
});

test('never redirects to another site after sign-in', async ({ page, service }) => {
  for (const from of ['//evil.example/', 'https://evil.example/', 'javascript:alert(1)', '/\\evil.example']) {
    await signInByKey(page, service, from);
    await expect(page).toHaveURL(/\/create/);
  }
});

const MARKUP = `"><img src=x onerror="document.title='owned'"><script>alert(1)</script>`;
const BACKWARDS = '\u202Egnp.exe\u2066';

test('renders hostile text as text everywhere', async ({ page, service }) => {
  const prompt = `${MARKUP} {{constructor}} ${BACKWARDS}`;
  const { id } = await postGeneration(service, {
    task: 'image.create',
    model: 'imgmodel-b-2-lite',
    input: { prompt },
    metadata: { '<b onmouseover=alert(2)>': MARKUP, link: 'javascript:alert(3)' },
  });
  const search = await postGeneration(service, {
    task: 'social.search',
    input: { platform: 'social_a', query: MARKUP },
  });
  await call(service, 'POST', '/v1/api-keys', { name: MARKUP.slice(0, 80), kind: 'member' });
  await Promise.all([waitForGeneration(service, id, 90_000), waitForGeneration(service, search.id)]);

  await openSignedIn(page, service, '/generations');
  await expect(page.getByRole('link', { name: MARKUP }).first()).toBeVisible();
  for (const to of [`/generations?view=gallery&q=${encodeURIComponent(MARKUP)}`, `/generations/${id}`]) {
    await openSignedIn(page, service, to);
    await expect(page.getByText(MARKUP, { exact: false }).first()).toBeVisible();
  }
  const detail = page.getByRole('complementary', { name: 'Open generation' });
  await expect(detail.getByText('<b onmouseover=alert(2)>')).toBeVisible();
  await expect(detail.getByRole('link', { name: 'javascript:alert(3)' })).toHaveCount(0);
  await detail.getByText('JSON', { exact: true }).click();
  await expect(detail.locator('pre')).toContainText('onerror');
  await detail.getByRole('link', { name: 'Reuse settings' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(prompt);
  await navigateTo(page, 'Keys');
  await expect(page.getByText(MARKUP.slice(0, 80), { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/Emulsion$/);
  await expect(page.locator('img[src="x"], main script')).toHaveCount(0);
});

test('shows a hostile file name as text and downloads it under a safe name', async ({ page, service }) => {
  const folder = createTempDirectory();
  const name = `"><img onerror=alert(1)> ${BACKWARDS}.mp4`;
  copyFileSync(makeClip(folder, 'plain.mp4', { seconds: 1 }), path.join(folder, name));
  await openSignedIn(page, service, '/create/video.trim');
  await uploadToField(page, 'Video', path.join(folder, name));
  await expect(page.getByRole('slider', { name: 'End' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Video' })).toContainText('><img onerror=alert(1)>');
  await expect(page.locator('main img[onerror]')).toHaveCount(0);
  const { data } = await call<{ data: { url: string }[] }>(service, 'GET', '/v1/uploads');
  const response = await fetch(data[0]?.url ?? '');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  expect(response.headers.get('content-disposition')).toMatch(
    /^inline; filename="[^"\\]*"; filename\*=UTF-8''[\w.%-]*$/,
  );
});

test('rejects links that could run code', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.edit/imgmodel-b-2-lite');
  await page.getByRole('group', { name: 'Images' }).getByRole('button', { name: 'URL' }).click();
  for (const link of ['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', '//evil.example/a.png']) {
    await page.getByRole('textbox', { name: /^URL of/ }).fill(link);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: /^URL of/ })).toHaveAttribute('aria-invalid', 'true');
  }
});

test('offers sign-in after a key is revoked and keeps the work', async ({ page, service }) => {
  const created = await call<ApiKeyCreated>(service, 'POST', '/v1/api-keys', { name: 'Ana', kind: 'member' });
  await openSignedIn(page, { url: service.url, key: created.key }, '/create/image.create/imgmodel-b-2-lite');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A letter half written');
  // Requests of the page that are still running would end the session before the click.
  await page.waitForLoadState('networkidle');
  await call(service, 'DELETE', `/v1/api-keys/${created.id}`);
  await generateButton(page).click();
  const notice = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(notice).toBeVisible();
  expect(await readStoredData(page)).not.toContain(created.key);
  expect(await findA11yViolations(page)).toEqual([]);
  await notice.getByRole('textbox', { name: 'Key' }).fill(service.key);
  await notice.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A letter half written');
  await resultRegion(page).getByRole('button', { name: 'Try again' }).click();
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
});
