import type { Browser, Page } from '@playwright/test';
import type { ApiKey } from '#contract/resources/api-key.ts';
import type { Invitation } from '#contract/resources/person.ts';
import type { Role } from '#contract/permissions.ts';
import { type SessionCreated, sessionCookieName } from '#contract/resources/session.ts';
import { call, postGeneration, waitForGeneration } from './support/api-client.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import type { Service } from './support/service.ts';
import { expect, test } from './support/test.ts';

// Both tests share the people and their work.
test.describe.configure({ mode: 'serial' });

/** Invites a person, who accepts. @returns the service with their session */
async function join(service: Service, role: Role, name: string): Promise<Service> {
  const { url } = await call<Invitation & { url: string }>(service, 'POST', '/v1/invitations', { role });
  const accept = { token: url.split('#token=')[1], name };
  const { secret } = await call<SessionCreated>(service, 'POST', '/v1/invitations/accept', accept);
  return { ...service, key: secret ?? '' };
}

async function openPage(browser: Browser, { url, key }: Service): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  const cookie = { name: sessionCookieName(url), value: key, url, httpOnly: true, sameSite: 'Lax' } as const;
  await context.addCookies([cookie]);
  await context.addInitScript((origin) => {
    if (location.origin === origin) localStorage.setItem('emulsion.session', JSON.stringify({ id: 'given' }));
  }, url);
  return context.newPage();
}

let people: { olga: Service; member: Service; admin: Page; ana: Page } | undefined;

/** An administrator and a member, with one image each. */
async function openPeople(service: Service, browser: Browser) {
  if (people) return people;
  const olga = await join(service, 'administrator', 'Olga Petrova');
  const member = await join(service, 'member', 'Ana Lim');
  for (const [owner, prompt] of [
    [member, 'A quiet harbour'],
    [olga, 'A red kite'],
  ] as const) {
    const { id } = await postGeneration(owner, { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt } });
    await waitForGeneration(owner, id);
  }
  people = { olga, member, admin: await openPage(browser, olga), ana: await openPage(browser, member) };
  return people;
}

test('a member begins with their own work, and finds everybody’s with their names', async ({ service, browser }) => {
  const { admin, ana, olga } = await openPeople(service, browser);
  const row = (page: Page, prompt: string) => page.locator('[data-row-id]', { hasText: prompt });
  const chooseMadeBy = async (page: Page, label: string) => {
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('combobox', { name: 'Made by' }).selectOption({ label });
    await page.keyboard.press('Escape');
  };
  await ana.goto('/generations');
  await expect(row(ana, 'A quiet harbour')).toContainText('Made by Ana Lim');
  await expect(row(ana, 'A red kite')).toHaveCount(0);
  await expect(ana.getByRole('button', { name: 'Remove filter Made by me' })).toBeVisible();
  await ana.getByRole('button', { name: /^Filters/ }).click();
  await expect(ana.getByRole('combobox', { name: 'Made by' }).getByRole('option')).toHaveText([
    'Everybody',
    'Me',
    'Olga Petrova',
  ]);
  expect(await findA11yViolations(ana)).toEqual([]);
  await ana.keyboard.press('Escape');
  await chooseMadeBy(ana, 'Everybody');
  await expect(ana).toHaveURL('/generations?person=everybody');
  await expect(row(ana, 'A quiet harbour')).toBeVisible();
  await expect(row(ana, 'A red kite')).toContainText('Made by Olga Petrova');
  expect(await findA11yViolations(ana)).toEqual([]);
  await chooseMadeBy(ana, 'Olga Petrova');
  await expect(ana).toHaveURL(/\?person=per_\w+$/);
  await expect(row(ana, 'A quiet harbour')).toHaveCount(0);
  await ana.getByRole('button', { name: 'Remove filter Made by Olga Petrova' }).click();
  await expect(row(ana, 'A quiet harbour')).toBeVisible();

  await ana.goto('/library');
  const tiles = ana.getByRole('link', { name: /made by/ });
  await expect(tiles).toHaveCount(1);
  await expect(tiles).toHaveAccessibleName('Image: A quiet harbour, made by Ana Lim');
  await ana.getByRole('button', { name: 'Remove filter Made by me' }).click();
  await expect(tiles).toHaveCount(2);
  expect(await findA11yViolations(ana)).toEqual([]);
  for (const [path, title] of [
    ['/uploads', 'Drop your files here'],
    ['/workflows?part=runs', 'You have no runs yet'],
  ] as const) {
    await ana.goto(path);
    await expect(ana.getByRole('heading', { name: title })).toBeVisible();
    await ana.getByRole('button', { name: 'Show everybody’s work' }).click();
    await expect(ana).toHaveURL(/person=everybody$/);
  }

  await admin.goto('/generations');
  await expect(row(admin, 'A quiet harbour')).toBeVisible();
  await expect(admin.getByRole('list', { name: 'Filters in use' })).toHaveCount(0);
  await chooseMadeBy(admin, 'Me');
  await expect(row(admin, 'A quiet harbour')).toHaveCount(0);
  await expect(row(admin, 'A red kite')).toBeVisible();

  await call(olga, 'PUT', '/v1/settings', { members_see_own_work_only: true });
  await ana.goto('/generations?person=everybody');
  await expect(row(ana, 'A quiet harbour')).not.toContainText('Made by');
  await expect(row(ana, 'A red kite')).toHaveCount(0);
  await ana.getByRole('button', { name: /^Filters/ }).click();
  await expect(ana.getByRole('combobox', { name: 'Task' })).toBeVisible();
  await expect(ana.getByRole('combobox', { name: 'Made by' })).toHaveCount(0);
  await call(olga, 'PUT', '/v1/settings', { members_see_own_work_only: false });
});

test('the newest change is named beside a key, and leads to the audit log', async ({ service, browser }) => {
  const { admin, ana, olga, member } = await openPeople(service, browser);
  const { id } = await call<ApiKey>(olga, 'POST', '/v1/api-keys', { name: 'Shop', kind: 'member', owner: 'program' });
  await admin.goto('/keys');
  const key = admin.getByRole('listitem').filter({ hasText: /shop/i });
  await expect(key.getByRole('button', { name: /^Set budget/ })).toBeVisible();
  await expect(key.getByRole('link', { name: /^Created by Olga Petrova/ })).toBeVisible();
  await call(member, 'POST', '/v1/api-keys', { name: 'Laptop', kind: 'member' });
  await ana.goto('/keys');
  await expect(ana.getByRole('link', { name: /this month$/ })).toBeVisible();
  await expect(ana.getByRole('button', { name: /^Set budget/ })).toHaveCount(0);
  await call(olga, 'PUT', `/v1/api-keys/${id}`, { name: 'Web shop' });
  await admin.reload();
  expect(await findA11yViolations(admin)).toEqual([]);
  await key.getByRole('link', { name: /^Changed by Olga Petrova/ }).click();
  await expect(admin).toHaveURL(/\/audit\?/);
  await expect(admin.getByRole('list', { name: 'Events' }).getByRole('listitem')).toHaveText([
    /changed the key/,
    /created the key/,
  ]);
});
