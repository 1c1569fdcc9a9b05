import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import fc from 'fast-check';
import type { Me } from '#contract/resources/api-key.ts';
import { call } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { chooseMore } from './support/create-page.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { isInstalled } from './support/is-installed.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const KEY = 'a key $HOME `id` "quoted" \\ end';
const NASTY = `It's "100 %" $HOME \${x} \`id\` $(id) \\ \\n !! 'quoted' é 🎬 {{x}}\n--data @/etc/passwd \u2028 end\\`;

const openCode = async (page: Page) => {
  await chooseMore(page, 'Code…');
  return page.getByRole('dialog', { name: 'Code of this request' });
};

async function readCode(page: Page, language: string): Promise<{ order: string; wait: string }> {
  await page.getByRole('tab', { name: language }).click();
  const read = (label: string) => page.getByLabel(label, { exact: true }).textContent();
  return { order: (await read(`${language} code`)) ?? '', wait: (await read(`${language} code to wait`)) ?? '' };
}

interface ReceivedRequest {
  body: unknown;
  authorization: string | undefined;
  idempotency_key: unknown;
}

/** Runs the code against a server of its own in place of the service. @returns what it sent */
async function runCode(program: string, file: string, code: string, origin: string): Promise<ReceivedRequest> {
  const received: ReceivedRequest[] = [];
  let polls = 0;
  const server = createServer(async (request, response) => {
    const generation = { id: 'gen_1', status: 'queued', output: { assets: [{ url: 'https://example.com/a.png' }] } };
    if (request.method === 'GET') polls += 1;
    else received.push({ ...readHeaders(request), body: JSON.parse(await readText(request)) as unknown });
    response.end(JSON.stringify(polls > 0 ? { ...generation, status: 'succeeded' } : generation));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const folder = createTempDirectory();
  writeFileSync(path.join(folder, file), code.replaceAll(origin, `http://127.0.0.1:${port}`));
  const env = { ...process.env, EMULSION_KEY: KEY, noProxy: '127.0.0.1' };
  const { stdout } = await promisify(execFile)(program, [file], { cwd: folder, env });
  server.close();
  expect(stdout).toContain('succeeded');
  expect(stdout).toContain('https://example.com/a.png');
  const [only] = received;
  if (!only || received.length > 1) throw new Error(`${received.length} requests were sent`);
  return only;
}

const readHeaders = ({ headers }: IncomingMessage) => ({
  authorization: headers.authorization,
  idempotency_key: headers['idempotency-key'],
});

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** Runs the command in bash with a curl that records its arguments. */
function runCurl(code: string): string[] {
  const folder = createTempDirectory();
  writeFileSync(path.join(folder, 'curl'), `#!/bin/sh\nprintf '%s\\0' "$@" > "$RECORD"\n`);
  chmodSync(path.join(folder, 'curl'), 0o755);
  const record = path.join(folder, 'arguments');
  const env = { PATH: `${folder}:${process.env['PATH']}`, RECORD: record, EMULSION_KEY: KEY, GENERATION_ID: 'gen_1' };
  execFileSync('bash', ['-c', code], { env });
  return readFileSync(record, 'utf8').split('\0').slice(0, -1);
}

test('writes code that sends what Generate sends, whatever the texts contain', async ({ page, service }) => {
  const texts = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { numRuns: 40, seed: 7 });
  const metadata = Object.fromEntries(texts.map((text, at) => [`tag '${at}'`, text]));
  const { key } = await call<Me>(service, 'GET', '/v1/me');
  // Without the list of tags, the page keeps values of tags that do not exist.
  await page.route('**/v1/tags', (route) => route.abort());
  await page.addInitScript(([name, values]) => localStorage.setItem(name, values), [
    `emulsion.tags.${key.id}`,
    JSON.stringify(metadata),
  ] as const);
  await openSignedIn(page, service, '/create/image.create/imgmodel-a-2');
  await page.getByRole('textbox', { name: 'Prompt' }).fill(NASTY);
  const dialog = await openCode(page);
  await expect(dialog.getByText('not complete yet')).toBeHidden();
  const [curl, typescript, python] = [
    await readCode(page, 'curl'),
    await readCode(page, 'TypeScript'),
    await readCode(page, 'Python'),
  ];
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.route('**/v1/generations', (route) => route.fulfill({ status: 503, body: '{}' }));
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/generations'));
  await page.getByRole('button', { name: /^Generate/ }).click();
  const body = (await sent).postDataJSON() as Record<string, unknown>;
  expect(body).toMatchObject({ task: 'image.create', input: { prompt: NASTY }, metadata });

  const [url, ...options] = runCurl(curl.order);
  expect(url).toBe(`${service.url}/v1/generations`);
  const idempotency_key = /Idempotency-Key: (\w{32})/.exec(curl.order)?.[1];
  expect(options.slice(0, 7)).toEqual([
    '-H',
    `Authorization: Bearer ${KEY}`,
    '-H',
    'Content-Type: application/json',
    '-H',
    `Idempotency-Key: ${idempotency_key}`,
    '--data-raw',
  ]);
  expect(JSON.parse(options[7] ?? '')).toEqual(body);
  expect(runCurl(curl.wait)).toEqual([`${service.url}/v1/generations/gen_1`, '-H', `Authorization: Bearer ${KEY}`]);

  const request = { body, authorization: `Bearer ${KEY}`, idempotency_key };
  const run = (program: string, file: string, { order, wait }: typeof curl) =>
    runCode(program, file, `${order}\n${wait}`, service.url);
  expect(await run(process.execPath, 'order.mts', typescript)).toEqual(request);
  if (isInstalled('python3')) expect(await run('python3', 'order.py', python)).toEqual(request);
});

test('copies code, and says what an incomplete request lacks', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2.5');
  const dialog = await openCode(page);
  await expect(dialog.getByText('The request is not complete yet')).toBeVisible();
  await expect(dialog.getByText('Prompt is required.')).toBeVisible();
  await dialog.getByRole('tab', { name: 'Python' }).click();
  await dialog.getByRole('button', { name: 'Copy Python code', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('os.environ["EMULSION_KEY"]');
  expect(copied).toContain('"model": "vidmodel-c-2.5"');
  expect(copied).not.toContain(service.key);
});

test('shows other tools their address and code, with a model that works here', async ({ page, service }) => {
  await openSignedIn(page, service, '/keys');
  await page.getByRole('main').getByRole('link', { name: 'Connect a tool' }).click();
  const openai = page.getByRole('region', { name: 'OpenAI’s API' });
  await expect(openai.getByRole('definition')).toContainText(`${service.url}/compat/openai/v1`);
  await openai.getByRole('radio', { name: 'curl' }).check();
  await expect(openai.getByLabel('curl for OpenAI’s API', { exact: true })).toContainText(
    `curl ${service.url}/compat/openai/v1/images/generations`,
  );
  await expect(openai.getByRole('button', { name: 'Copy curl for OpenAI’s API' })).toBeVisible();
  await page.getByRole('radio', { name: 'API reference' }).check();
  await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Getting started' })).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
});
