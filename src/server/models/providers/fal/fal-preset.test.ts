import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modelsForTask } from '#contract/catalog.ts';
import { BUILT_IN_TASK_IDS } from '#contract/ids.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createFakeFalRecord } from './testing/fake-fal-record.ts';
import { createFakeFalHandler } from './testing/fake-fal-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createDirectService } from '#server/models/engine/testing/direct-service.ts';
import { walkPreset } from '#server/models/engine/testing/preset-walk.ts';
import { falPreset } from './fal-preset.ts';

const KEY = 'fal-id:fal-secret';
const record = createFakeFalRecord();
const shapes = new Set<string>();
let server: FakeUpstreamServer;
let directory: string;

beforeAll(async () => {
  server = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
  server.upstream.outputs = [Buffer.from('output')];
  directory = await mkdtemp(join(tmpdir(), 'fal-preset-'));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  record.submits.length = 0;
  record.endpoints.clear();
  server.upstream.jobs.length = 0;
});

const SEEDANCE = ['An end frame needs a start frame.', 'Seedance does not combine frames with references.'];
const ADAPTIVE = 'With a start frame, Seedance 2.5 takes the frame’s shape: choose Adaptive.';
const NO_SEED = ['fal’s Gemini Omni Flash has no seed.'];
const NO_BACKGROUND = 'fal’s GPT Image 2 does not set a background when it edits.';
const RESTRICTIONS: Readonly<Record<string, string[]>> = {
  'image.create imgmodel-a-2': [NO_BACKGROUND, 'fal’s GPT Image 2 does not make transparent backgrounds.'],
  'image.edit imgmodel-a-2': [NO_BACKGROUND],
  'video.create omni-video': NO_SEED,
  'video.create omni-video-flash': NO_SEED,
  'video.create vidmodel-c-2': SEEDANCE,
  'video.create vidmodel-c-2-fast': SEEDANCE,
  'video.create vidmodel-c-2-mini': SEEDANCE,
  'video.create vidmodel-c-2.5': [...SEEDANCE, ADAPTIVE],
  'video.edit vidmodel-c-2.5': ['fal’s Seedance edits a video without reference videos.'],
};

const AUDIO_ALONE = 'Reference audio needs a reference image or a reference video.';
const LONG_PROMPT = 'fal’s Gemini Omni Flash takes prompts of at most 20,000 characters, roles of references included.';
const TOO_MANY = 'fal’s Seedance 2.0 takes at most 12 references in total.';
const REJECTIONS: Readonly<Record<string, string[]>> = {
  'video.create omni-video': [LONG_PROMPT],
  'video.create omni-video-flash': [LONG_PROMPT],
  'video.create vidmodel-c-2': [AUDIO_ALONE, TOO_MANY],
  'video.create vidmodel-c-2-fast': [AUDIO_ALONE, TOO_MANY],
  'video.create vidmodel-c-2-mini': [AUDIO_ALONE, TOO_MANY],
  'video.create vidmodel-c-2.5': [AUDIO_ALONE],
};

it('covers every model of the catalog', () => {
  const pairs = BUILT_IN_TASK_IDS.flatMap((task) => modelsForTask(task).map((model) => `${task} ${model}`));
  expect(falPreset.models.map(({ task, model }) => `${task} ${model}`).sort()).toEqual(pairs.sort());
});

describe.each(falPreset.models.map((entry) => [`${entry.task} ${entry.model}`, entry] as const))(
  '%s',
  (name, presetModel) => {
    it('accepts, restricts or rejects every option of the form', async () => {
      const { task, model } = presetModel;
      const adapter = presetModel.createAdapter(
        {
          address: server.base_url,
          api_key: KEY,
          openService: (base_url) =>
            createDirectService(createFetcher().createService(base_url), server.listener, shapes),
          deadlineMs: 60_000,
        },
        { task, model, markup_percent: null },
      );
      const report = await walkPreset({
        presetModel,
        adapter,
        directory,
        completeJobs: () => server.upstream.jobs.forEach((job) => void (job.state = 'succeeded')),
        requests: readRequests,
      });
      expect(report.failures).toEqual([]);
      expect(report.succeeded).toBeGreaterThan(task === 'video.lipsync' ? 4 : 10);
      const noMask = `fal’s ${presetModel.display.name} takes no mask here. Describe what to change.`;
      const restricted = [...(RESTRICTIONS[name] ?? []), ...(task === 'image.edit' ? [noMask] : [])];
      expect(report.restricted).toEqual(restricted.sort());
      expect(report.rejected).toEqual([...(REJECTIONS[name] ?? [])].sort());
    });
  },
);

/** Submits without seeds and the numbers of uploads, which differ between equal requests. */
const readRequests = (from: number): readonly unknown[] =>
  record.submits.slice(from).map(({ path, input }) => [
    path,
    JSON.stringify(input)
      .replace(/\/files\/in-\d+/g, '/file')
      .replace(/"seed":\d+/, ''),
  ]);
