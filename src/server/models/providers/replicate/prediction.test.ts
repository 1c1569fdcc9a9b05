import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import {
  createFakeReplicateHandler,
  createFakeReplicateState,
  type FakeReplicateState,
} from './testing/fake-replicate-server.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import type { LostSubmit, UpstreamAdapter, UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { createReplicateAdapter } from './replicate-adapter.ts';

let server: FakeUpstreamServer;
let account: FakeReplicateState;
let workDir: string;
beforeEach(async () => {
  account = { ...createFakeReplicateState(), lists_predictions: true };
  server = await startFakeUpstream('r8_secret', (upstream) => createFakeReplicateHandler(upstream, account));
  workDir = await mkdtemp(join(tmpdir(), 'replicate-'));
});
afterEach(async () => {
  await server.close();
  await rm(workDir, { recursive: true });
});

const createAdapter = () =>
  createReplicateAdapter({
    service: createFetcher().createService(server.base_url),
    api_key: 'r8_secret',
    model: 'acme/painter',
    buildInput: (job, nameFile) => ({ prompt: 'a pear', images: job.references.map(nameFile) }),
  });

/** A file above 256 KB is uploaded, and so has a URL of its own. */
async function createJob(size_bytes: number): Promise<UpstreamEngineJob> {
  const file = join(workDir, 'reference');
  await writeFile(file, Buffer.alloc(size_bytes));
  const media = { kind: 'image', mime_type: 'image/png', extension: 'png', width: 8, height: 8 } as const;
  const details = { size_bytes, duration_seconds: null, fps: null, has_audio: false };
  const reference = { path: 'images.0', url: 'https://example.com/a.png', role: null, file };
  return {
    generation_id: 'gen_1',
    submit_key: 'gen_1',
    task: 'image.edit',
    model: 'imgmodel-a-2',
    model_version: null,
    input: {},
    references: [{ ...reference, media: { ...media, ...details } }],
    workDir,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
}

/** Lets Replicate create the prediction, and loses its response. */
async function loseSubmit(
  adapter: UpstreamAdapter,
  job: UpstreamEngineJob,
  requestsBefore: number,
): Promise<LostSubmit> {
  for (let passed = 0; passed < requestsBefore; passed += 1)
    server.injectFault((_request, _response, serve) => serve());
  server.injectFault((_request, response, serve) => {
    response.end = (() => response.destroy()) as typeof response.end;
    serve();
  });
  await expect(adapter.submit(job)).rejects.toMatchObject({ name: 'ResponseLostError' });
  expect(server.upstream.jobs).toHaveLength(1);
  return { ...job, submitted_at: new Date() };
}

describe('a submit whose response is lost', () => {
  it('is found by its uploaded files', async () => {
    const adapter = createAdapter();
    const lost = await loseSubmit(adapter, await createJob(300_000), 1);
    expect(await adapter.findLostSubmit?.(lost)).toEqual({ prediction_id: server.upstream.jobs[0]?.id });
  });

  it('stays lost if an equal request could have the same input', async () => {
    const adapter = createAdapter();
    const lost = await loseSubmit(adapter, await createJob(1000), 0);
    expect(await adapter.findLostSubmit?.(lost)).toBeNull();
  });

  it.each([
    ['the input differs', { input: { prompt: 'an apple' } }],
    ['the input was removed', { input: null }],
    ['the model differs', { model: 'acme/sculptor' }],
  ])('stays lost if %s', async (_name, overrides) => {
    const adapter = createAdapter();
    const lost = await loseSubmit(adapter, await createJob(300_000), 1);
    account.overrides = overrides;
    expect(await adapter.findLostSubmit?.(lost)).toBeNull();
  });

  it('stays lost if two predictions match', async () => {
    const adapter = createAdapter();
    const lost = await loseSubmit(adapter, await createJob(300_000), 1);
    server.upstream.createJob(null);
    account.overrides = { model: 'acme/painter', input: account.created[0]?.input };
    expect(await adapter.findLostSubmit?.(lost)).toBeNull();
  });

  it('cannot be looked up while the list is not available', async () => {
    const adapter = createAdapter();
    const lost = await loseSubmit(adapter, await createJob(300_000), 1);
    server.injectFault(respondWith(200, '<html>'));
    await expect(adapter.findLostSubmit?.(lost)).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});
