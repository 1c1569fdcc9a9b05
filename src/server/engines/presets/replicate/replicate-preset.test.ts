import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/net/fetcher.ts';
import { createFakeReplicateHandler, createFakeReplicateState } from '../../testing/fake-replicate-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '../../testing/fake-upstream-server.ts';
import { walkPreset, writeReferences } from '../../testing/preset-walk.ts';
import type { PresetConnection, PresetModel } from '../preset.ts';
import { replicatePreset } from './replicate-preset.ts';

const KEY = 'r8_0123456789_secret';
const account = createFakeReplicateState();
let server: FakeUpstreamServer;
let directory: string;

beforeAll(async () => {
  server = await startFakeUpstream(KEY, (upstream) => createFakeReplicateHandler(upstream, account));
  directory = await mkdtemp(join(tmpdir(), 'replicate-preset-'));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  account.overrides = {};
  account.created = [];
  server.upstream.jobs.length = 0;
  server.upstream.outputs = [Buffer.from('output')];
});

const connection = (api_key = KEY): PresetConnection => ({
  address: server.base_url,
  api_key,
  openService: (base_url) => createFetcher().createService(base_url),
  deadline_ms: 60_000,
});
const createAdapter = ({ task, model, createAdapter: create }: PresetModel) =>
  create(connection(), { task, model, markup_percent: null });
const completeJobs = () => {
  for (const job of server.upstream.jobs) job.state = 'succeeded';
};

const SEEDANCE_RESTRICTIONS = [
  'A last frame needs a first frame.',
  'Seedance does not combine frames with references.',
];
const ONLY_480P_720P = 'Replicate’s Seedance 2.5 makes 480p and 720p.';
const AUDIO_ALONE = 'Reference audio needs a reference image or a reference video.';
const LONG_25 = 'Replicate’s Seedance 2.5 takes prompts of up to 2,000 characters.';
const LONG_SEEDREAM = 'Replicate’s Seedream 5 Pro takes prompts of up to 4,000 characters.';

/** What each form loses at Replicate: by rules of the form, and before a request is sent. */
const LIMITS: Record<string, { restricted?: string[]; rejected?: string[] }> = {
  'imgmodel-a-2': {
    restricted: [
      'Replicate’s GPT Image 2 does not make transparent backgrounds.',
      'Replicate’s GPT Image 2 makes 3:2, 2:3, 4:3 and 3:4 in resolution 1K only.',
      'Replicate’s GPT Image 2 makes the aspect ratios auto, 1:1, 3:2, 2:3, 4:3, 3:4, 16:9 and 9:16.',
    ],
  },
  'imgmodel-d-5-pro': { rejected: [LONG_SEEDREAM] },
  'vidmodel-c-2': { restricted: SEEDANCE_RESTRICTIONS, rejected: [AUDIO_ALONE] },
  'vidmodel-c-2-fast': { restricted: SEEDANCE_RESTRICTIONS, rejected: [AUDIO_ALONE] },
  'vidmodel-c-2.5': {
    restricted: [
      SEEDANCE_RESTRICTIONS[0] ?? '',
      ONLY_480P_720P,
      SEEDANCE_RESTRICTIONS[1] ?? '',
      'With a first frame, Seedance 2.5 takes the frame’s aspect ratio: choose Adaptive.',
    ],
    rejected: [AUDIO_ALONE, LONG_25],
  },
  'video.edit': { restricted: [ONLY_480P_720P], rejected: [LONG_25] },
};

describe.each(replicatePreset.models.map((entry) => [`${entry.task} on ${entry.model}`, entry] as const))(
  '%s',
  (_name, preset_model) => {
    it('accepts or restricts every option of the form', { timeout: 60_000 }, async () => {
      const report = await walkPreset({
        preset_model,
        adapter: createAdapter(preset_model),
        directory,
        completeJobs,
        requests: () => account.created,
      });
      const { restricted = [], rejected = [] } =
        LIMITS[preset_model.task === 'video.edit' ? 'video.edit' : preset_model.model] ?? {};
      expect(report).toMatchObject({ failures: [], restricted, rejected });
      expect(report.succeeded).toBeGreaterThan(10);
    });
  },
);

const video = { url: 'https://example.com/clip.mp4', role: 'the walk' };

async function finish(task: string, model: string, input: Record<string, unknown>, metrics: Record<string, unknown>) {
  const preset_model =
    replicatePreset.models.find((entry) => entry.task === task && entry.model === model) ?? expect.fail(model);
  const references = await writeReferences(preset_model, input, directory);
  const ids = {
    generation_id: 'gen_1',
    submit_key: 'gen_1',
    task: preset_model.task,
    model: preset_model.model,
    input,
  };
  const signal = new AbortController().signal;
  const job = { ...ids, references, work_dir: directory, signal, onProgress: () => undefined };
  const adapter = createAdapter(preset_model);
  const state = await adapter.submit(job);
  if (state.status !== 'accepted') return expect.fail(state.status);
  completeJobs();
  account.overrides = { metrics };
  return adapter.poll(job, state.handle);
}

describe('cost is computed from what Replicate measured', () => {
  const clip = { prompt: 'a', aspect_ratio: '16:9', duration_seconds: 5, resolution: '480p', generate_audio: true };
  it.each([
    ['video.create', 'vidmodel-c-2.5', clip, 514_000n],
    ['video.create', 'vidmodel-c-2.5', { ...clip, reference_videos: [video] }, 2_152_000n],
    ['video.create', 'vidmodel-c-2', { ...clip, resolution: '4K' }, 5_000_000n],
    ['video.edit', 'vidmodel-c-2.5', { prompt: 'a', video, resolution: '720p', generate_audio: true }, 4_838_000n],
  ])('of seconds: %s on %s with %j', async (task, model, input, cost_micro_usd) => {
    const state = await finish(task, model, input, { video_output_duration_seconds: 5 });
    expect(state).toMatchObject({ cost_micro_usd, cost_basis: 'computed' });
  });

  it.each([
    ['imgmodel-a-2.5-flare', { prompt: 'a', quality: 'high', size: 'auto' }, 128_000n],
    ['imgmodel-b-pro', { prompt: 'a', aspect_ratio: 'auto', resolution: '4K', output_format: 'png' }, 300_000n],
    ['imgmodel-d-5-pro', { prompt: 'abc', aspect_ratio: '1:1', resolution: '2K', output_format: 'jpeg' }, 90_000n],
  ])('of images: %s with %j', async (model, input, cost_micro_usd) => {
    const state = await finish('image.create', model, input, { image_output_count: 1, predict_time: 3 });
    expect(state).toMatchObject({ cost_micro_usd, cost_basis: 'computed' });
  });

  it('is unknown without a count', async () => {
    const state = await finish('video.create', 'vidmodel-c-2', clip, { predict_time: 3 });
    expect(state).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
  });
});

it('tells the model the roles of references', async () => {
  const input = { prompt: 'A park.', resolution: '720p', generate_audio: true, video, reference_videos: [video] };
  await finish('video.edit', 'vidmodel-c-2.5', input, {});
  expect(account.created[0]?.input).toMatchObject({
    prompt: 'A park.\n\n[Video1]: the walk\n[Video2]: the walk',
    duration: -1,
    aspect_ratio: 'adaptive',
  });
});

it('tests a key with a free call', async () => {
  const signal = AbortSignal.timeout(5_000);
  expect(await replicatePreset.check(connection(), signal)).toBe('The key works. It belongs to the user acme.');
  await expect(replicatePreset.check(connection('r8_wrong'), signal)).rejects.toThrow('rejected the API key');
  expect(account.created).toEqual([]);
});
