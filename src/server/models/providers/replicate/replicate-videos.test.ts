import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeReplicateHandler, createFakeReplicateState } from './testing/fake-replicate-server.ts';
import { useProviderPreset } from '#server/models/engine/testing/provider-preset-fixture.ts';
import { replicatePreset } from './replicate-preset.ts';

const account = createFakeReplicateState();
const bench = useProviderPreset({
  preset: replicatePreset,
  createHandler: (upstream) => createFakeReplicateHandler(upstream, account),
  // Each job has another seed, which would hide equal requests.
  requests: (from) =>
    account.created.slice(from).map(({ version, input }) => ({ version, input: { ...input, seed: undefined } })),
});
beforeEach(() => {
  account.overrides = {};
  account.created = [];
});

const SEEDANCE_RESTRICTIONS = [
  'An end frame needs a start frame.',
  'Seedance does not combine frames with references.',
];
const ONLY_480P_720P = 'Replicate’s Seedance 2.5 makes 480p and 720p.';
const AUDIO_ALONE = 'Reference audio needs a reference image or a reference video.';
const LONG_25 = 'Replicate’s Seedance 2.5 takes prompts of up to 2,000 characters.';

/** What a form loses at Replicate: by its rules, and before a request is sent. */
const LIMITS: Record<string, { restricted?: string[]; rejected?: string[] }> = {
  'vidmodel-c-2': { restricted: SEEDANCE_RESTRICTIONS, rejected: [AUDIO_ALONE] },
  'vidmodel-c-2-fast': { restricted: SEEDANCE_RESTRICTIONS, rejected: [AUDIO_ALONE] },
  'vidmodel-c-2.5': {
    restricted: [
      SEEDANCE_RESTRICTIONS[0] ?? '',
      ONLY_480P_720P,
      SEEDANCE_RESTRICTIONS[1] ?? '',
      'With a start frame, Seedance 2.5 takes the frame’s shape: choose Adaptive.',
    ],
    rejected: [AUDIO_ALONE, LONG_25],
  },
  'video.edit': { restricted: [ONLY_480P_720P], rejected: [LONG_25] },
};

describe.each(
  replicatePreset.models
    .filter(({ task }) => task.startsWith('video.'))
    .map((entry) => [`${entry.task} on ${entry.model}`, entry] as const),
)('%s', (_name, presetModel) => {
  it('accepts or restricts every option of the form', async () => {
    const { restricted = [], rejected = [] } =
      LIMITS[presetModel.task === 'video.edit' ? 'video.edit' : presetModel.model] ?? {};
    const report = await bench.walk(presetModel);
    expect(report).toMatchObject({ failures: [], restricted, rejected });
    expect(report.succeeded).toBeGreaterThan(10);
  });
});

const clip = { prompt: 'a', aspect_ratio: '16:9', duration_seconds: 5, resolution: '480p', generate_audio: true };
const video = { url: 'https://example.com/clip.mp4', role: 'the walk' };

describe('cost', () => {
  it.each([
    ['video.create', 'vidmodel-c-2.5', clip, 514_000n],
    ['video.create', 'vidmodel-c-2.5', { ...clip, reference_videos: [video] }, 2_152_000n],
    ['video.create', 'vidmodel-c-2', { ...clip, resolution: '4K' }, 5_000_000n],
    ['video.edit', 'vidmodel-c-2.5', { prompt: 'a', video, resolution: '720p', generate_audio: true }, 4_838_000n],
  ])('of %s on %s with %j is computed from the seconds', async (task, model, input, cost_micro_usd) => {
    const state = await bench.finish(bench.findModel(task, model), input, () => {
      account.overrides = { metrics: { video_output_duration_seconds: 5 } };
    });
    expect(state).toMatchObject({ cost_micro_usd, cost_basis: 'computed' });
  });

  it.each([
    ['failed', { video_output_duration_seconds: 5 }, 5_000_000n],
    ['canceled', { video_output_duration_seconds: 2 }, 2_000_000n],
    ['aborted', {}, 0n],
  ])('of a prediction that %s is what Replicate charges', async (status, metrics, cost_micro_usd) => {
    const finished = bench.finish(
      bench.findModel('video.create', 'vidmodel-c-2'),
      { ...clip, resolution: '4K' },
      () => {
        account.overrides = { status, metrics };
      },
    );
    await expect(finished).rejects.toMatchObject({ cost: { cost_micro_usd, cost_basis: 'computed' } });
  });

  it('is unknown without a count', async () => {
    const state = await bench.finish(bench.findModel('video.create', 'vidmodel-c-2'), clip);
    expect(state).toMatchObject({ status: 'succeeded', cost_micro_usd: null });
  });
});

it('finds a lost submit by its seed, in another process too', async () => {
  const seedance = bench.findModel('video.create', 'vidmodel-c-2');
  account.lists_predictions = true;
  await bench.createAdapter(seedance).submit(await bench.createJob(seedance, clip));
  const job = await bench.createJob(seedance, clip);
  const lost = { ...job, submitted_at: new Date() };
  expect(await bench.createAdapter(seedance).findLostSubmit?.(lost)).toBeNull();
  await bench.createAdapter(seedance).submit(job);
  const prediction_id = bench.server.upstream.jobs[1]?.id;
  expect(await bench.createAdapter(seedance).findLostSubmit?.(lost)).toEqual({ prediction_id });
});

it('tells the model the roles of references', async () => {
  const input = { prompt: 'A park.', resolution: '720p', generate_audio: true, video, reference_videos: [video] };
  await bench.finish(bench.findModel('video.edit', 'vidmodel-c-2.5'), input);
  expect(account.created[0]?.input).toMatchObject({
    prompt: 'A park.\n\n[Video1]: the walk\n[Video2]: the walk',
    duration: -1,
    aspect_ratio: 'adaptive',
  });
});
