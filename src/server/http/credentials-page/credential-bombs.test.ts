import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { CredentialReport } from '#contract/resources/credentials.ts';
import { Upload } from '#contract/resources/upload.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { createPreviewEngine } from '#server/models/preview/preview-engine.ts';
import { createJobProcess } from '#server/platform/media/job-process.ts';
import { CredentialResponse } from '#server/platform/media/credentials/credential-protocol.ts';
import { type MediaTools, resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { createTestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { STRUCTURE_BOMBS } from '#server/platform/media/testing/structure-bomb-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createPng, createUploadForm } from '#server/studio/uploads/testing/upload-fixture.ts';

let media: MediaTools;
let service: TestService;
let worker: Worker;
let url = '';
beforeAll(async () => {
  media = await resolveMediaTools();
  const engines = [createPreviewEngine({ tools: media })];
  service = await createTestService({ media, engines, config: { rateLimitPerMinute: 100_000 } });
  worker = await startWorker(service.deps);
  url = await service.listen();
});
afterAll(async () => {
  await worker.stop();
  await service.close();
});

const send = (path: string, bytes: Uint8Array, signal?: AbortSignal) => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), 'file');
  return fetch(url + path, { method: 'POST', body, ...(signal ? { signal } : {}) });
};

async function check(bytes: Uint8Array): Promise<CredentialReport> {
  const response = await send('/v1/credentials/verify', bytes);
  expect(response.status).toBe(200);
  return CredentialReport.parse(await response.json());
}

const bomb = (name: string, parts: number): Buffer => {
  const found = STRUCTURE_BOMBS.find((each) => each.name === name);
  if (!found) throw new Error(`There is no bomb of ${name}.`);
  return found.create(parts);
};

/** A picture whose history has twice as many paths with every step. */
async function createLadder(steps: number): Promise<Buffer> {
  const signer = await createTestSigner();
  const picture = await createPng(8, 8, '#357');
  let signed = await signer.sign(picture, 'image/png');
  for (let step = 1; step < steps; step += 1) signed = await signer.sign(picture, 'image/png', signed, signed);
  return signed;
}

async function upload(bytes: Buffer): Promise<Upload> {
  const headers = { authorization: `Bearer ${service.keys.organization}` };
  const response = await fetch(`${url}/v1/uploads`, { method: 'POST', headers, body: createUploadForm(bytes) });
  expect(response.status).toBe(201);
  return Upload.parse(await response.json());
}

const readCredentials = async (media_id: string) => service.call('get_media_credentials', { params: { media_id } });

async function make(body: Record<string, unknown>): Promise<Generation> {
  const { body: created } = await service.call('create_generation', { body });
  return waitFor(`${String(body['task'])} to end`, async () => {
    const { body: now } = await service.call('get_generation', { params: { generation_id: created.id } });
    return now.completed_at === null ? null : now;
  });
}
const create = () => make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a red fox' } });

describe('files that are made to be slow to check', () => {
  it('answers that the file is too complex, on the page too', async () => {
    const boxes = bomb('boxes', 3_000_000);
    expect(await check(boxes)).toMatchObject({ state: 'too_complex', steps: [], ai: null });
    const page = await send('/verify', bomb('PNG chunks', 400_000));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Too complex to check')]);
  });

  it('reads a history of many paths, and keeps it in an edit', async () => {
    const ladder = await createLadder(24);
    const report = await check(ladder);
    expect(report).toMatchObject({ state: 'valid', ai: 'generated' });
    expect(report.steps).toHaveLength(24);
    const { id, url: source } = await upload(ladder);
    expect((await readCredentials(id)).body.report.steps).toHaveLength(24);
    const input = { prompt: 'at night', images: [{ url: source }] };
    const edited = await make({ task: 'image.edit', model: 'imgmodel-a-2', input });
    expect(edited.status).toBe('succeeded');
    const { report: history } = (await readCredentials(edited.output.assets[0]?.id ?? '')).body;
    expect(history).toMatchObject({ state: 'valid' });
    expect(history.steps).toHaveLength(25);
  });

  it('stores an upload that is too complex, says so, and keeps the result of its edit', async () => {
    const signer = await createTestSigner();
    const signed = await signer.sign(await createPng(8, 8, '#357'), 'image/png');
    const chunks = bomb('PNG chunks', 120_000).subarray(33, -12);
    const { id, url: source } = await upload(Buffer.concat([signed.subarray(0, -12), chunks, signed.subarray(-12)]));
    const { status, body } = await readCredentials(id);
    expect([status, body]).toMatchObject([200, { place: 'none', report: { state: 'too_complex' } }]);
    const input = { prompt: 'at night', images: [{ url: source }] };
    const edited = await make({ task: 'image.edit', model: 'imgmodel-a-2', input });
    expect(edited.status).toBe('succeeded');
    const media_id = edited.output.assets[0]?.id ?? '';
    expect((await readCredentials(media_id)).body.report).toMatchObject({ state: 'valid' });
    const { body: medium } = await service.call('get_media', { params: { media_id } });
    expect(medium.lost_marks).toEqual(['c2pa']);
  });

  it('lets uploads, results and checks of members go on while a public check hangs', async () => {
    const { publicChecks } = media.credentials;
    const hanging = createJobProcess<never, CredentialResponse>({
      command: [process.execPath, '-e', `console.log('ready'); process.stdin.resume();`],
      response: CredentialResponse,
      memoryBytes: null,
      messages: { timeout: 'late', exited: 'gone' },
    });
    const leave = new AbortController();
    media.credentials.publicChecks = { ...publicChecks, process: hanging };
    try {
      let isPending = true;
      const stranger = send('/verify', await createPng(8, 8, '#753'), leave.signal)
        .catch(() => undefined)
        .finally(() => (isPending = false));
      const made = await create();
      const { id } = await upload(await createPng(16, 16, '#537'));
      expect(made.status).toBe('succeeded');
      expect((await readCredentials(made.output.assets[0]?.id ?? '')).body.report.state).toBe('valid');
      expect((await readCredentials(id)).body.report.state).toBe('none');
      expect(isPending).toBe(true);
      leave.abort();
      await stranger;
    } finally {
      media.credentials.publicChecks = publicChecks;
    }
  });
});
