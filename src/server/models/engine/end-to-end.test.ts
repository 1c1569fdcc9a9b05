import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { readEngines } from '#server/models/config/read-engines.ts';
import { startFakeUpstream, type FakeUpstreamServer } from './testing/fake-upstream-server.ts';
import { createFakeFalRecord, type FakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import {
  createFakeOpenAiHandler,
  type FakeOpenAiRequest,
} from '#server/models/providers/openai/testing/fake-openai-server.ts';

const KEY = 'a-secret-0123456789';
const media = useMediaFixture();
const sent: FakeOpenAiRequest[] = [];
const record: FakeFalRecord = createFakeFalRecord();
let openai: FakeUpstreamServer;
let fal: FakeUpstreamServer;
let service: TestService;
let worker: Worker;

beforeAll(async () => {
  openai = await startFakeUpstream(KEY, (upstream) => createFakeOpenAiHandler(upstream, sent));
  fal = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
  const fetcher = createFetcher();
  const file = {
    engines: {
      openai: { adapter: 'openai', base_url: openai.base_url, api_key_env: 'KEY' },
      fal: { adapter: 'fal', base_url: fal.base_url, api_key_env: 'KEY' },
    },
    models: {
      'imgmodel-a-2': { engine: 'openai', model: 'gpt-image-2' },
      'omni-video': { engine: 'openai', model: 'sora-2' },
      'imgmodel-d-5-pro': { engine: 'fal', model: 'fal-ai/flux/dev' },
    },
  };
  const read = readEngines(file, {
    openService: fetcher.createService,
    readEnv: (name) => (name === 'KEY' ? KEY : null),
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  service = await createTestService({ fetcher, ...read.setup });
  worker = await startWorker(service.deps);
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await Promise.all([openai.close(), fal.close()]);
});

async function createAndWait(body: BodyInput<'create_generation'>): Promise<Generation> {
  const created = (await service.call('create_generation', { body })).body;
  const completed = async () => {
    for (const job of [...openai.upstream.jobs, ...fal.upstream.jobs])
      if (job.state === 'queued') job.state = 'succeeded';
    const now = (await service.call('get_generation', { params: { generation_id: created.id } })).body;
    return ['succeeded', 'failed', 'manual_review'].includes(now.status) && now;
  };
  return waitFor(`${body.task} to complete`, completed);
}

describe('generations with fake providers', () => {
  it('edits an uploaded image with OpenAI', async () => {
    openai.upstream.outputs = [await readFile(media.picture())];
    const { url } = await media.upload(service, service.organization_id, media.picture());
    const completed = await createAndWait({
      task: 'image.edit',
      model: 'imgmodel-a-2',
      input: { prompt: 'Dusk', images: [{ url }] },
    });
    expect(completed).toMatchObject({
      status: 'succeeded',
      error: null,
      output: { assets: [{ type: 'image', mime_type: 'image/png', width: 64, height: 36 }] },
      usage: { billing_status: 'settled' },
    });
    expect(sent.at(-1)?.files[0]?.bytes.equals(await readFile(media.picture()))).toBe(true);
  });

  it('creates a video with OpenAI', async () => {
    openai.upstream.outputs = [await readFile(media.clip())];
    const completed = await createAndWait({ task: 'video.create', model: 'omni-video', input: { prompt: 'Waves' } });
    expect(completed).toMatchObject({
      status: 'succeeded',
      error: null,
      output: { assets: [{ type: 'video', mime_type: 'video/mp4', width: 64, height: 36 }] },
    });
  });

  it('creates an image with fal', async () => {
    fal.upstream.outputs = [await readFile(media.picture())];
    const completed = await createAndWait({
      task: 'image.create',
      model: 'imgmodel-d-5-pro',
      input: { prompt: 'A pear' },
    });
    expect(completed).toMatchObject({ status: 'succeeded', error: null, output: { assets: [{ type: 'image' }] } });
    expect(record.submits.at(-1)?.input).toMatchObject({ prompt: 'A pear', aspect_ratio: '1:1', output_format: 'png' });
  });

  it('reports a refusal and releases the funds', async () => {
    openai.upstream.refuses_content = true;
    const completed = await createAndWait({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A pear' } });
    expect(completed).toMatchObject({
      status: 'failed',
      error: {
        code: 'content_refused',
        message: expect.stringMatching(/^The provider’s content rules do not allow this\./),
      },
      usage: { billing_status: 'released' },
    });
  });
});
