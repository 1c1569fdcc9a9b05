import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeReplicateHandler, createFakeReplicateState } from './testing/fake-replicate-server.ts';
import { useProviderPreset } from '#server/models/engine/testing/provider-preset-fixture.ts';
import { replicatePreset } from './replicate-preset.ts';

const account = createFakeReplicateState();
const bench = useProviderPreset({
  preset: replicatePreset,
  createHandler: (upstream) => createFakeReplicateHandler(upstream, account),
  requests: (from) => account.created.slice(from),
});
beforeEach(() => {
  account.overrides = {};
  account.created = [];
});

/** What a form loses at Replicate: by its rules, and before a request is sent. */
const LIMITS: Record<string, { restricted?: string[]; rejected?: string[] }> = {
  'imgmodel-a-2': {
    restricted: [
      'Replicate’s GPT Image 2 does not make transparent backgrounds.',
      'Replicate’s GPT Image 2 makes 3:2, 2:3, 4:3 and 3:4 in size 1K only.',
      'Replicate’s GPT Image 2 makes the shapes auto, 1:1, 3:2, 2:3, 4:3, 3:4, 16:9 and 9:16.',
    ],
  },
  'imgmodel-d-5-pro': { rejected: ['Replicate’s Seedream 5 Pro takes prompts of up to 4,000 characters.'] },
};

describe.each(
  replicatePreset.models
    .filter(({ task }) => task.startsWith('image.'))
    .map((entry) => [`${entry.task} on ${entry.model}`, entry] as const),
)('%s', (_name, presetModel) => {
  it('accepts or restricts every option of the form', async () => {
    const { restricted = [], rejected = [] } = LIMITS[presetModel.model] ?? {};
    const isEdit = presetModel.task === 'image.edit';
    const noMask = `Replicate’s ${presetModel.display.name} takes no mask here. Describe what to change.`;
    const report = await bench.walk(presetModel);
    expect(report).toMatchObject({ failures: [], restricted: [...restricted, ...(isEdit ? [noMask] : [])], rejected });
    expect(report.succeeded).toBeGreaterThan(10);
  });
});

describe('cost', () => {
  it.each([
    ['imgmodel-a-2.5-flare', { prompt: 'a', quality: 'high', size: 'auto' }, 128_000n],
    ['imgmodel-b-pro', { prompt: 'a', aspect_ratio: 'auto', resolution: '4K', output_format: 'png' }, 300_000n],
    ['imgmodel-d-5-pro', { prompt: 'abc', aspect_ratio: '1:1', resolution: '2K', output_format: 'jpeg' }, 90_000n],
  ])('of %s with %j is computed from the images', async (model, input, cost_micro_usd) => {
    const state = await bench.finish(bench.findModel('image.create', model), input, () => {
      account.overrides = { metrics: { image_output_count: 1, predict_time: 3 } };
    });
    expect(state).toMatchObject({ cost_micro_usd, cost_basis: 'computed' });
  });
});

it('tests a key with a free call', async () => {
  const signal = new AbortController().signal;
  expect(await replicatePreset.check(bench.connection(), signal)).toBe('The key works. It belongs to the user acme.');
  await expect(replicatePreset.check(bench.connection('r8_wrong'), signal)).rejects.toThrow('rejected the API key');
  expect(account.created).toEqual([]);
});
