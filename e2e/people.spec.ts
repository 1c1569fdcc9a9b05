import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import type { Generation } from '#contract/resources/generation.ts';
import { type FakeMailServer, startFakeMailServer } from '#server/app/testing/fake-mail-server.ts';
import { type FakeOidcProvider, startFakeOidcProvider } from '#server/app/testing/fake-oidc-provider.ts';
import { freePort } from '#server/app/testing/free-port.ts';
import { generate, generateButton } from './support/create-page.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { type Service, startService } from './support/service.ts';

// One story: each test goes on where the previous one ended.
test.describe.configure({ mode: 'serial' });

let service: Service;
let mail: FakeMailServer;
let oidc: FakeOidcProvider;
let admin: Page;
let ana: Page;
let setPresence: (isPresent: boolean) => Promise<void>;

const newPage = async (browser: Browser) => (await browser.newContext({ baseURL: service.url })).newPage();
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' }).first();
const entries = (page: Page) => navigation(page).getByRole('link').allInnerTexts();

async function invite(email: string, role: string): Promise<string> {
  await admin.goto('/people');
  await admin.getByRole('button', { name: 'Invite' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByRole('textbox', { name: /^Mail address/ }).fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const created = admin.getByRole('dialog', { name: /^Invitation for/ });
  const link = await created.getByLabel('Invitation link').innerText();
  await expect(created).toContainText(`It was also mailed to ${email}.`);
  await created.getByRole('button', { name: 'Close' }).click();
  return link;
}

async function openPersonMenu(name: string, item: string): Promise<void> {
  await admin.goto('/people');
  await admin.getByRole('button', { name: `Actions for ${name}` }).click();
  await admin.getByRole('menuitem', { name: item }).click();
}

/** Adds a platform authenticator that confirms everything while its person is present, in place of a fingerprint. */
async function addAuthenticator(page: Page): Promise<(isPresent: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (enabled) =>
    session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }).then(() => undefined);
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/account');
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: /^Sign in to/ })).toBeVisible();
}

test.beforeAll(async ({ browser }) => {
  expect(browser.browserType()).toBe(chromium);
  const port = await freePort();
  mail = await startFakeMailServer();
  oidc = await startFakeOidcProvider(`http://localhost:${port}/v1/sign-in/oidc/callback`);
  service = await startService({
    PORT: String(port),
    BOOTSTRAP_API_KEY: '',
    SMTP_URL: mail.url,
    MAIL_FROM: 'studio@example.com',
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.client_id,
    OIDC_CLIENT_SECRET: oidc.client_secret,
    OIDC_NAME: 'Example ID',
  });
  [admin, ana] = [await newPage(browser), await newPage(browser)];
});

test.afterAll(async () => {
  await Promise.all([service.stop(), mail.close(), oidc.close()]);
});

test('the first administrator signs in by the printed link and enters name and mail address', async () => {
  await admin.goto(/http\S+#token=\S+/.exec(service.output())?.[0] ?? '');
  await admin.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(admin).toHaveURL(/\/create/);
  await expect(admin.getByText('Add your name and mail address')).toBeVisible();
  await expect(admin.getByRole('link', { name: 'Add a passkey, so that you can sign in again' })).toBeVisible();
  await admin.getByRole('link', { name: 'Add your name and mail address' }).click();
  await admin.getByRole('textbox', { name: 'Name' }).fill('Olga Petrova');
  await admin.getByRole('textbox', { name: 'Mail address' }).fill('olga@example.com');
  await admin.goto('/account');
  await expect(admin.getByRole('textbox', { name: 'Name' })).toHaveValue('Olga Petrova');
  await admin.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByText('Add your name and mail address')).toHaveCount(0);
  await expect(admin.getByRole('button', { name: /Olga Petrova/ }).first()).toBeVisible();
  await expect(admin.getByText('Waiting for confirmation at olga@example.com')).toBeVisible();
  await admin.getByRole('button', { name: 'Show code' }).click();
  await expect(admin.getByRole('img', { name: 'Code that signs in your phone' })).toBeVisible();
  expect(await findA11yViolations(admin)).toEqual([]);

  const link = () => /http\S+\/account#token=\S+/.exec(mail.received.at(-1)?.text ?? '')?.[0];
  await expect.poll(link).toBeDefined();
  await admin.goto(link() ?? '');
  await admin.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(admin.getByText(/^Waiting for confirmation/)).toHaveCount(0);
  await expect(admin.getByRole('textbox', { name: 'Mail address' })).toHaveValue('olga@example.com');
});

test('an invited viewer sees only what a viewer may', async () => {
  const link = await invite('ana@example.com', 'Viewer');
  await expect.poll(() => mail.received.map(({ to }) => to)).toContainEqual(['ana@example.com']);
  setPresence = await addAuthenticator(ana);
  await ana.goto(link);
  await expect(ana.getByRole('heading', { name: /^Join/ })).toBeVisible();
  await expect(ana.getByText('Olga Petrova invites you as viewer')).toBeVisible();
  expect(ana.url()).toBe(`${service.url}/invitation`);
  expect(await findA11yViolations(ana)).toEqual([]);
  await ana.getByRole('textbox', { name: 'Your name' }).fill('Ana Lim');
  await ana.getByRole('button', { name: 'Accept invitation' }).click();
  await ana.getByRole('button', { name: 'Add a passkey' }).click();

  await expect(ana).toHaveURL('/generations');
  await expect.poll(() => entries(ana)).not.toContain('Create');
  expect((await entries(ana)).filter((name) => /Billing|Keys|Providers|Webhooks|Review/.test(name))).toEqual([]);
  await expect(ana.getByRole('button', { name: /Ana Lim\s*Viewer/i })).toBeVisible();
  for (const [path, sentence] of [
    ['/create/image.create', 'You can’t create media'],
    ['/billing', 'You can’t see billing'],
    ['/providers', 'You can’t manage providers'],
    ['/added-models', 'You can’t add models'],
    ['/workflows/new', 'You can’t create a workflow'],
  ] as const) {
    await ana.goto(path);
    await expect(ana.getByRole('heading', { name: sentence })).toBeVisible();
  }
  await ana.goto('/people');
  await expect(ana.getByRole('list', { name: 'People' })).toContainText('Olga Petrova');
  await expect(ana.getByRole('button', { name: 'Invite' })).toHaveCount(0);
  expect(await findA11yViolations(ana)).toEqual([]);
  await ana.goto(link);
  await expect(ana.getByRole('heading', { name: 'This invitation does not work' })).toBeVisible();
});

test('a member generates, beside a name', async () => {
  await openPersonMenu('Ana Lim', 'Change name or role…');
  const dialog = admin.getByRole('dialog', { name: 'Ana Lim' });
  expect(await findA11yViolations(admin)).toEqual([]);
  await dialog.getByRole('radio', { name: 'Member' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  await ana.goto('/create/image.create/imgmodel-b-2-lite');
  await ana.getByRole('textbox', { name: 'Prompt' }).fill('A quiet harbour');
  await generate(ana);
  await expect(ana.getByText('Succeeded', { exact: true })).toBeVisible();
  const { data } = (await (await ana.request.get('/v1/generations')).json()) as { data: Generation[] };
  expect(data.map(({ created_by }) => created_by.name)).toEqual(['Ana Lim']);
});

test('a passkey, a mailed link and an identity provider sign in', async ({ browser }) => {
  await setPresence(false);
  await signOut(ana);
  await ana.goto('/sign-in?from=/library');
  expect(await findA11yViolations(ana)).toEqual([]);
  // A request that reaches the authenticator while nobody is present never ends.
  const present = Promise.withResolvers<void>();
  await ana.route('**/v1/sign-in/passkey/options', async (route) => {
    await present.promise;
    await route.continue();
  });
  await ana.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await setPresence(true);
  present.resolve();
  await expect(ana).toHaveURL('/library');
  await ana.unroute('**/v1/sign-in/passkey/options');

  // With a present person, the virtual authenticator chooses what the browser suggests in the field.
  await signOut(ana);
  await ana.goto('/sign-in?from=/uploads');
  await expect(ana).toHaveURL('/uploads');
  await expect(ana.getByRole('button', { name: /Ana Lim/ }).first()).toBeVisible();
  await ana.goto('/account');
  await expect(ana.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1);
  await expect(ana.getByRole('list', { name: 'Sessions' })).toContainText('with a passkey');
  await ana.getByRole('button', { name: /^Rename/ }).click();
  const rename = ana.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByRole('textbox', { name: 'Name' }).fill('Work laptop');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(ana.getByRole('list', { name: 'Passkeys' })).toContainText('Work laptop');
  expect(await findA11yViolations(ana)).toEqual([]);

  const phone = await newPage(browser);
  await phone.goto('/sign-in');
  await phone.getByRole('textbox', { name: 'Mail address' }).fill('ana@example.com');
  await phone.getByRole('button', { name: 'Mail me a sign-in link' }).click();
  await expect(phone.getByText('Check your mail')).toBeVisible();
  const linkFromMail = () => /http\S+\/sign-in#token=\S+/.exec(mail.received.at(-1)?.text ?? '')?.[0];
  await expect.poll(linkFromMail).toBeDefined();
  await phone.goto(linkFromMail() ?? '');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(phone).toHaveURL(/\/create/);
  await signOut(phone);

  oidc.signInAs({ sub: 'ana', email: 'ana@example.com', email_verified: true, name: 'Ana Lim' });
  await phone.goto('/sign-in?from=/uploads');
  await phone.getByRole('link', { name: 'Continue with Example ID' }).click();
  await expect(phone).toHaveURL('/uploads');
  await expect(phone.getByRole('button', { name: /Ana Lim/ }).first()).toBeVisible();

  oidc.signInAs({ sub: 'eve', email: 'eve@example.com', email_verified: true });
  const stranger = await newPage(browser);
  await stranger.goto('/sign-in');
  await stranger.getByRole('link', { name: 'Continue with Example ID' }).click();
  await expect(stranger.getByRole('alert')).toContainText('Nobody has invited your mail address yet.');
  expect(await findA11yViolations(stranger)).toEqual([]);
});

test('a removed person is signed out at once, and their work stays', async () => {
  await ana.goto('/create/image.create/imgmodel-b-2-lite');
  await expect(generateButton(ana)).toBeVisible();
  await ana.getByRole('textbox', { name: 'Prompt' }).fill('Half written');
  await openPersonMenu('Ana Lim', 'Remove…');
  const dialog = admin.getByRole('dialog', { name: 'Remove Ana Lim?' });
  await expect(dialog).toContainText('Stays: everything they made');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog).toBeHidden();
  // Whichever request comes first notices it: this one, or one of the page's own.
  await ana.keyboard.press('ControlOrMeta+Enter');
  await expect(ana.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  await expect(ana.getByRole('textbox', { name: 'Prompt', includeHidden: true })).toHaveValue('Half written');

  await admin.goto('/people');
  await admin.getByRole('radio', { name: 'Removed' }).check({ force: true });
  await expect(admin.getByRole('list', { name: 'People' })).toContainText('Ana Lim');
  await admin.goto('/generations');
  await expect(admin.locator('[data-row-id]', { hasText: 'A quiet harbour' })).toContainText('Made by Ana Lim');
});

test('an administrator renames the organization', async () => {
  await admin.goto('/settings');
  await admin.getByRole('button', { name: 'Rename' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Rename the organization' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await name.fill(' ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Enter a name.');
  await name.fill('Harbor & Sons');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(admin.getByRole('main')).toContainText('Harbor & Sons');
  await admin.goto('/audit');
  await expect(admin.getByRole('list', { name: 'Events' })).toContainText('the name of the organization');
});

test('the last administrator is given up only by naming the key that remains', async () => {
  await admin.evaluate(() =>
    fetch('/v1/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ERP import', kind: 'organization', owner: 'program' }),
    }),
  );
  await openPersonMenu('Olga Petrova', 'Change name or role…');
  const dialog = admin.getByRole('dialog', { name: 'Olga Petrova' });
  await dialog.getByRole('radio', { name: 'Auditor' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const last = admin.getByRole('dialog', { name: 'Go on without an administrator?' });
  const name = last.getByRole('textbox', { name: 'Name of the key that remains' });
  await expect(last).toContainText('“ERP import”');
  await name.fill('Another key');
  await last.getByRole('button', { name: 'Change role' }).click();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  expect(await findA11yViolations(admin)).toEqual([]);
  await name.fill('ERP import');
  await last.getByRole('button', { name: 'Change role' }).click();
  await expect(last).toBeHidden();

  await admin.goto('/audit');
  await expect(admin.getByRole('list', { name: 'Events' })).toContainText(
    'changed their own account: the role from Administrator to Auditor. No administrator remains, only the key “ERP import”',
  );
});
