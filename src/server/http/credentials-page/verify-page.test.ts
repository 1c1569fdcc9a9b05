import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CredentialReport, MAX_VERIFIED_BYTES } from '#contract/resources/credentials.ts';
import { findContractProblem } from '#server/app/testing/test-client.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { signBeside, signFile } from '#server/platform/media/credentials/sign-file.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { createPng } from '#server/studio/uploads/testing/upload-fixture.ts';

let service: TestService;
let url = '';
let plain: Buffer;
let signed: Buffer;
let sidecar: Buffer;

beforeAll(async () => {
  plain = await createPng(64, 48, '#357');
});
beforeEach(async () => {
  service = await createTestService();
  url = await service.listen();
  const { config, media: tools, signing } = service.deps;
  const signer = { tools, signer: await signing.signer(), trust: await signing.trust(), options: {} };
  await withTempDir(config.mediaDir, async (folder) => {
    const file = join(folder, 'a.png');
    await writeFile(file, plain);
    const actions = [
      {
        action: 'c2pa.created',
        digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
      },
    ];
    const statement = { title: 'A <b>fox</b>', actions, assertions: {} };
    const result = {
      file,
      mime_type: 'image/png',
      size_bytes: plain.length,
      statement,
      ingredients: [],
      thumbnail: null,
    };
    sidecar = await signBeside(signer, result);
    await signFile(signer, result);
    signed = await readFile(file);
  });
});
afterEach(async () => {
  await expect.poll(() => listTempFiles(service.deps.config.mediaDir)).toEqual([]);
  await service.close();
});

async function listTempFiles(mediaDir: string): Promise<string[]> {
  const found = await readdir(join(mediaDir, 'scratch'), { recursive: true, withFileTypes: true });
  return found.flatMap(({ name, parentPath }) => (name.startsWith('job-') ? [join(parentPath, name)] : []));
}

function createForm(files: Record<string, Uint8Array | string>): FormData {
  const form = new FormData();
  for (const [field, bytes] of Object.entries(files))
    form.append(field, new Blob([new Uint8Array(Buffer.from(bytes))]), field);
  return form;
}

/** Sends the same form to the page and the endpoint. */
async function check(files: Record<string, Uint8Array | string>) {
  const [page, api] = await Promise.all(
    ['/verify', '/v1/credentials/verify'].map((path) => fetch(url + path, { method: 'POST', body: createForm(files) })),
  );
  if (!page || !api) throw new Error('There is no response.');
  const body = await api.text();
  expect(findContractProblem('verify_credentials', api.status, body)).toBeNull();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; img-src 'self' data:");
  return { page: [page.status, await page.text()] as const, api: [api.status, JSON.parse(body) as unknown] as const };
}

it('checks a signed file, a changed one, and one with its manifest beside it, and keeps none', async () => {
  const valid = await check({ file: signed, manifest: '' });
  expect([valid.page[0], valid.api[0]]).toEqual([200, 200]);
  expect(CredentialReport.parse(valid.api[1])).toMatchObject({ state: 'valid', ai: 'generated' });
  expect(valid.page[1]).toContain('Valid: unchanged since it was signed');
  expect(valid.page[1]).toContain('A &lt;b&gt;fox&lt;/b&gt;');
  expect(valid.page[1]).toContain('Signed by this installation');

  const bytes = Buffer.from(signed);
  const at = bytes.indexOf('IDAT') + 10;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  const changed = await check({ file: bytes });
  expect(changed.api[1]).toMatchObject({ state: 'changed' });
  expect(changed.page[1]).toContain('This file was changed after it was signed.');

  expect((await check({ file: plain })).api[1]).toMatchObject({ state: 'none', steps: [] });
  expect((await check({ file: plain, manifest: sidecar })).api[1]).toMatchObject({ state: 'valid', ai: 'generated' });
});

it('explains what it can’t check', async () => {
  const empty = await check({ file: '' });
  expect([empty.page[0], empty.api]).toMatchObject([400, [400, { error: { code: 'invalid_media_upload' } }]]);
  expect(empty.page[1]).toContain('role="alert">The file is empty.');
  const none = await check({ other: plain });
  expect([none.page[0], none.api[0]]).toEqual([400, 400]);
  expect(none.page[1]).toContain('Send the file as the form field “file”.');
  const pdf = await check({ file: '%PDF-1.7' });
  expect([pdf.page[0], pdf.api[0]]).toEqual([400, 400]);
  expect(pdf.page[1]).toContain('This is a PDF.');
  const manifest = await check({ manifest: Buffer.alloc(6_000_000), file: plain });
  expect([manifest.page[0], manifest.api[0]]).toEqual([400, 400]);
  const text = await fetch(`${url}/verify`, { method: 'POST', body: new URLSearchParams({ file: 'x' }) });
  expect([text.status, await text.text()]).toMatchObject([400, expect.stringContaining('multipart/form-data')]);
  for (const path of ['/verify', '/v1/credentials/verify'])
    expect(await declare(path, 2 * MAX_VERIFIED_BYTES)).toBe(413);
});

/** Announces a body of a length, without sending it. */
const declare = (path: string, bytes: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': bytes };
    const outgoing = request(url + path, { method: 'POST', headers });
    outgoing.on('error', reject).on('response', (response) => {
      resolve(response.statusCode);
      outgoing.destroy();
    });
    outgoing.write('--x\r\n');
  });

it('limits the checks of one address, without limiting the form', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 22 }, async () => {
      const response = await fetch(`${url}/verify`, { method: 'POST', body: createForm({ file: '%PDF' }) });
      await response.text();
      return response.status;
    }),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  const blocked = await check({ file: plain });
  expect([blocked.page[0], blocked.api]).toMatchObject([429, [429, { error: { code: 'rate_limit_exceeded' } }]]);
  expect(blocked.page[1]).toContain('Too many requests.');
  const form = await fetch(`${url}/verify`);
  expect([form.status, await form.text()]).toMatchObject([
    200,
    expect.stringContaining('enctype="multipart/form-data"'),
  ]);
});
