import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { type Service, startService } from './service.ts';

export interface Shared {
  services: { of(file: string, env: Environment): Promise<Service> };
}
type Environment = Record<string, string>;

export interface Fixtures {
  /** What the file's service is started with, besides what every test has. */
  environment: Environment;
  /** The real service, one for each file. */
  service: Service;
  /** What no page may do in any test; judged when the test ends. */
  guard: void;
}

export const test = base.extend<Fixtures, Shared>({
  environment: [{}, { option: true }],
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
    { scope: 'worker', timeout: 60_000 },
  ],
  service: async ({ services, environment }, use, info) => use(await services.of(info.file, environment)),
  baseURL: async ({ service }, use) => use(service.url),
  guard: [
    async ({ context, service }, use) => {
      const problems = await watch(context, service);
      await use();
      expect(problems, 'what no page may do').toEqual([]);
    },
    { auto: true },
  ],
});

/** Notes policy violations, errors of the page and on its console, dialogs, requests to anybody else, and the key where it may not be. */
async function watch(context: BrowserContext, { url, key }: Service): Promise<string[]> {
  const problems: string[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      // oxlint-disable-next-line no-console -- runs in the page, whose console is the way out
      console.error(`Content Security Policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  context.on('console', (message) => {
    const text = message.text();
    // An answer such as 402 is said on the console too; how the page takes it is for the tests.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) problems.push(text);
    if (text.includes(key)) problems.push(`the key on the console: ${text.replaceAll(key, '…')}`);
  });
  context.on('weberror', (error) => problems.push(`error of the page: ${error.error().stack}`));
  context.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== url) problems.push(`request to ${request.url()}`);
    if (request.url().includes(key)) problems.push(`the key in the address of ${request.method()}`);
  });
  return problems;
}

/** Opens the sign-in link, signs in, and waits for the studio. */
export async function signIn(page: Page, { url, key }: Pick<Service, 'url' | 'key'>, path = '/'): Promise<void> {
  await page.goto(`${url}/sign-in?from=${encodeURIComponent(path)}#key=${key}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

export { expect };
