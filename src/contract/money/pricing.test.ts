import { describe, expect, test } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { estimate, type MediaLengths } from './estimate.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatUsd, parseUsd } from './money.ts';
import { parseInput } from '#contract/parse-input.ts';
import { PRICES } from './pricing.ts';

// Spec: Published prices
const published = [
  'image.create imgmodel-a-2 0.03 image 0.03',
  'image.create imgmodel-a-2.5-flare 0.00474 image 0.004745',
  'image.create imgmodel-a-2.5-sunburst 0.00474 image 0.004745',
  'image.create imgmodel-b-2 0.04 image 0.04',
  'image.create imgmodel-b-2-lite 0.02 image 0.02',
  'image.create imgmodel-b-pro 0.09 image 0.09',
  'image.create imgmodel-d-5-pro 0.035 image 0.035',
  'image.edit imgmodel-a-2 0.03 image 0.03',
  'image.edit imgmodel-a-2.5-flare 0.00474 image 0.070281',
  'image.edit imgmodel-a-2.5-sunburst 0.00474 image 0.070281',
  'image.edit imgmodel-b-2 0.04 image 0.04',
  'image.edit imgmodel-b-2-lite 0.02 image 0.02',
  'image.edit imgmodel-b-pro 0.09 image 0.09',
  'image.edit imgmodel-d-5-pro 0.035 image 0.035',
  'social.search null 0.35 operation 0.01',
  'video.add_audio null 0.00 operation 0.00',
  'video.concat null 0.00 operation 0.00',
  'video.extract_audio null 0.00 operation 0.00',
  'video.extract_frame null 0.00 operation 0.00',
  'video.split_scenes null 0.00 operation 0.00',
  'video.trim null 0.00 operation 0.00',
  'video.create omni-video 0.315 generation 0.315',
  'video.create omni-video-flash 0.315 generation 0.315',
  'video.create vidmodel-c-2 0.0575 second 0.345',
  'video.create vidmodel-c-2-fast 0.045 second 0.27',
  'video.create vidmodel-c-2-mini 0.03 second 0.18',
  'video.create vidmodel-c-2.5 0.085 second 0.51',
  'video.edit vidmodel-c-2.5 0.085 second 0.68',
  'video.lipsync lipsync-v3 8.00 minute 0.133333',
];

test('the 29 prices are the published ones', () => {
  const rows = PRICES.map((row) =>
    [row.task, row.model, formatUsd(row.unit_price_micro_usd), row.unit, formatUsd(row.minimum_micro_usd)].join(' '),
  );
  expect(rows.sort()).toEqual(published.map((row) => row.replace('null', '')).sort());
});

const media = { url: 'https://example.com/a' };

function priced(task: TaskId, model: ModelId | null, input: Record<string, unknown>, lengths?: MediaLengths) {
  const contract = inputContract(task, model);
  if (!contract) throw new Error('no such pair');
  const parsed = parseInput(contract, input, null);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.details));
  return estimate(PRICES, task, model, parsed.input, lengths);
}

describe('estimates', () => {
  const edit = { video: media, prompt: 'x' };
  const speak = (sync_mode: string) => ({ video: media, audio: media, sync_mode });
  const search = (platform: string, limit: number) => ({ platform, query: 'x', limit });
  const both = { video_seconds: 12, audio_seconds: 30 };

  test.each<[TaskId, ModelId | null, Record<string, unknown>, MediaLengths, string, string]>([
    ['image.create', 'imgmodel-a-2', { prompt: 'x' }, {}, '0.03', 'exact'],
    ['image.create', 'imgmodel-a-2.5-flare', { prompt: 'x' }, {}, '0.004745', 'exact'],
    ['image.create', 'imgmodel-a-2.5-flare', { prompt: 'x', quality: 'auto' }, {}, '0.004745', 'exact'],
    ['image.edit', 'imgmodel-a-2.5-sunburst', { prompt: 'x', images: [media] }, {}, '0.070281', 'exact'],
    ['video.create', 'omni-video', { prompt: 'x', duration_seconds: 8 }, {}, '0.315', 'exact'],
    ['video.create', 'vidmodel-c-2', { prompt: 'xyz' }, {}, '0.46', 'exact'],
    ['video.create', 'vidmodel-c-2', { prompt: 'xyz', duration_seconds: 4 }, {}, '0.345', 'exact'],
    ['video.create', 'vidmodel-c-2', { prompt: 'xyz', duration_seconds: 7 }, {}, '0.4025', 'exact'],
    ['video.create', 'vidmodel-c-2-mini', { prompt: 'xyz', duration_seconds: 15 }, {}, '0.45', 'exact'],
    ['video.create', 'vidmodel-c-2.5', { prompt: 'x', duration_seconds: 30 }, {}, '2.55', 'exact'],
    ['video.edit', 'vidmodel-c-2.5', edit, {}, '2.55', 'upper_bound'],
    ['video.edit', 'vidmodel-c-2.5', edit, { video_seconds: 4 }, '0.68', 'exact'],
    ['video.edit', 'vidmodel-c-2.5', edit, { video_seconds: 10.0104 }, '0.85085', 'exact'],
    ['video.lipsync', 'lipsync-v3', speak('cut_off'), {}, '0.133333', 'lower_bound'],
    ['video.lipsync', 'lipsync-v3', speak('cut_off'), { video_seconds: 12 }, '0.133333', 'lower_bound'],
    ['video.lipsync', 'lipsync-v3', speak('cut_off'), both, '1.60', 'exact'],
    ['video.lipsync', 'lipsync-v3', speak('silence'), both, '1.60', 'exact'],
    ['video.lipsync', 'lipsync-v3', speak('loop'), both, '4.00', 'exact'],
    ['video.lipsync', 'lipsync-v3', speak('bounce'), both, '4.00', 'exact'],
    ['video.lipsync', 'lipsync-v3', speak('remap'), both, '4.00', 'exact'],
    ['video.lipsync', 'lipsync-v3', speak('remap'), { audio_seconds: 0.5 }, '0.133333', 'exact'],
    ['social.search', null, search('social_a', 50), {}, '0.35', 'exact'],
    ['social.search', null, search('social_a', 20), {}, '0.14', 'exact'],
    ['social.search', null, search('social_b_reels', 20), {}, '0.10', 'exact'],
    ['social.search', null, search('social_c_shorts', 1), {}, '0.01', 'exact'],
    ['video.trim', null, { video: media, end_seconds: 2 }, {}, '0.00', 'exact'],
  ])('%s %s %j %j costs %s, %s', (task, model, input, lengths, amount, basis) => {
    const answer = priced(task, model, input, lengths);
    expect(formatUsd(answer.amount_micro_usd)).toBe(amount);
    expect(answer.basis).toBe(basis);
    const sum = answer.line_items.reduce((total, item) => total + parseUsd(item.amount_usd), 0n);
    expect(sum).toBe(answer.amount_micro_usd);
  });

  test('a line item contains the difference to the minimum charge', () => {
    expect(priced('video.create', 'vidmodel-c-2', { prompt: 'xyz', duration_seconds: 4 }).line_items).toEqual([
      {
        description: 'vidmodel-c-2',
        quantity: '4',
        unit: 'second',
        unit_price_usd: '0.0575',
        amount_usd: '0.23',
      },
      { description: 'Minimum charge', quantity: '1', unit: 'operation', unit_price_usd: '0.115', amount_usd: '0.115' },
    ]);
  });

  test('an unknown length is one line item with the minimum', () => {
    expect(priced('video.lipsync', 'lipsync-v3', speak('loop'), {}).line_items).toEqual([
      {
        description: 'lipsync-v3 · minimum',
        quantity: '0.016667',
        unit: 'minute',
        unit_price_usd: '8.00',
        amount_usd: '0.133333',
      },
    ]);
  });
});
