import { randomUUID } from 'node:crypto';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { type SessionCreated, sessionCookieName } from '#contract/resources/session.ts';
import { call } from './api-client.ts';
import { type Service, startService } from './service.ts';

export interface WorkerFixtures {
  services: { of(file: string, env: Environment): Promise<Service> };
}
type Environment = Record<string, string>;

export interface Fixtures {
  environment: Environment;
  /** The real service, one for each file. */
  service: Service;
  /**
   * Whether the browser reports a metered connection, as most tests do: scripts are then not prefetched, which takes
   * time.
   */
  isMetered: boolean;
  /** Fails a test in which a page did what no page may do. */
  guard: void;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  environment: [{}, { option: true }],
  isMetered: [true, { option: true }],
  services: [
    async ({}, use) => {
      let running: { file: string; service: Service } | undefined;
      await use({
        of: async (file, env) => {
          if (running?.file === file) return running.service;
          await running?.service.stop();
          running = { file, service: await startService(env) };
          return running.service;
        },
      });
      await running?.service.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  service: async ({ services, environment }, use, info) => use(await services.of(info.file, environment)),
  baseURL: async ({ service }, use) => use(service.url),
  guard: [
    async ({ context, service, isMetered }, use) => {
      if (isMetered) {
        await context.addInitScript(() =>
          Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
        );
      }
      if (SLOWED > 1) context.on('page', (page) => void slowDown(page));
      const problems = await watchForProblems(context, service);
      await use();
      expect(problems, 'what no page may do').toEqual([]);
    },
    { auto: true },
  ],
});

/** How many times slower the browser's processor is, to see which tests depend on its speed. */
const SLOWED = Number(process.env['SLOWED'] ?? 1);

async function slowDown(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
}

export const CREDENTIAL = /mgs_(org|usr|pub|ses|lnk)_[\w-]{20}/;
const CREDENTIAL_TEXT = new RegExp(`${CREDENTIAL.source}[\\w-]*`, 'g');

/**
 * Records policy violations, errors of the page and its console, dialogs, requests to other hosts, and exposed
 * credentials.
 */
async function watchForProblems(context: BrowserContext, { url }: Service): Promise<string[]> {
  const problems: string[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      // oxlint-disable-next-line no-console -- runs in the page, whose console is the way out
      console.error(`Content Security Policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  context.on('console', (message) => {
    const text = message.text();
    // Chromium logs a response such as 402 to the console too; the tests check how the page handles it.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) problems.push(text);
    if (CREDENTIAL.test(text)) problems.push(`a credential on the console: ${text.replaceAll(CREDENTIAL_TEXT, '…')}`);
  });
  context.on('weberror', (error) => problems.push(`error of the page: ${error.error().stack}`));
  context.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== url) problems.push(`request to ${request.url()}`);
    if (CREDENTIAL.test(request.url())) problems.push(`a credential in the address of ${request.method()}`);
  });
  return problems;
}

/** Gives the browser the cookie of a session of the key, or of the session itself. */
async function addSession(context: BrowserContext, service: Pick<Service, 'url' | 'key'>): Promise<void> {
  const secret = service.key.startsWith('mgs_ses_')
    ? service.key
    : (await call<SessionCreated>(service, 'POST', '/v1/session')).secret;
  await context.addCookies([
    { name: sessionCookieName(service.url), value: secret ?? '', url: service.url, httpOnly: true, sameSite: 'Lax' },
  ]);
}

/** Opens a page signed in, with the cookie of a session. Much faster than the sign-in page. */
export async function openSignedIn(page: Page, service: Pick<Service, 'url' | 'key'>, path = '/'): Promise<void> {
  await addSession(page.context(), service);
  const given = { origin: service.url, once: `given ${randomUUID()}` };
  // Runs at every load of the page. Later loads find what the app stored.
  await page.addInitScript(({ origin, once }) => {
    if (location.origin !== origin || sessionStorage.getItem(once) !== null) return;
    sessionStorage.setItem(once, 'true');
    localStorage.setItem('emulsion.session', JSON.stringify({ id: once }));
  }, given);
  await page.goto(service.url + path);
}

export async function signInByKey(page: Page, { url, key }: Pick<Service, 'url' | 'key'>, from = '/'): Promise<void> {
  await page.goto(`${url}/sign-in?from=${encodeURIComponent(from)}`);
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

/** Creates a sign-in link, as an admin does. It works once. */
export async function requestSignInLink(service: Pick<Service, 'url' | 'key'>): Promise<string> {
  const { token } = await call<{ token: string }>(service, 'POST', '/v1/sign-in-tokens');
  return `${service.url}/sign-in#token=${token}`;
}

export { expect };
