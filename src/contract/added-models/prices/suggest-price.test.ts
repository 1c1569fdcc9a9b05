import { describe, expect, it } from 'vitest';
import { quote } from './price.ts';
import { AddedPrice, type PriceQuantity } from './price-schema.ts';
import { normalizeFal } from '#contract/added-models/provider-schemas.ts';
import { type PublishedPrice, suggestPrice, toPriceUnits } from './suggest-price.ts';
import { falDocument } from '#contract/added-models/testing/fal-document.ts';

const text = { type: 'string' };
const FILE = { type: 'object', properties: { url: text } };
const seconds = (description: string) => ({ type: 'integer', minimum: 1, maximum: 60, default: 5, description });

interface Model {
  category: string;
  fields: Readonly<Record<string, unknown>>;
  required?: readonly string[];
  price_text?: string;
}

async function formOf({ category, fields, required = [], price_text }: Model) {
  const media = category.split('-to-').at(-1) ?? '';
  const output = ['image', 'video', 'audio'].includes(media) ? { [media]: FILE } : { text };
  const { contract, output: files } = await normalizeFal(falDocument(fields, { required, output }), { category });
  return { contract, output: files, category, price_text: price_text ?? null };
}

const suggest = async (price: PublishedPrice, model: Model) => suggestPrice(price, await formOf(model));
const bill: PriceQuantity = { from: 'result', largest: null };
const field = (name: string, more = {}): PriceQuantity => ({ from: 'field', field: name, largest: null, ...more });

const IMAGE: Model = {
  category: 'text-to-image',
  fields: {
    prompt: text,
    num_images: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
    image_size: {
      anyOf: [
        { enum: ['square_hd', 'landscape_4_3'] },
        { type: 'object', properties: { width: { type: 'integer' }, height: { type: 'integer' } } },
      ],
      default: 'square_hd',
    },
  },
};
const VIDEO: Model = {
  category: 'text-to-video',
  fields: { prompt: text, duration: { enum: ['5', '10'], default: '5' } },
};
const SPEECH: Model = {
  category: 'text-to-speech',
  fields: { text, reference_audio_url: text, reference_text: text },
  required: ['text', 'reference_audio_url'],
};
const STEMS: Model = {
  category: 'audio-to-audio',
  fields: { audio_url: text, segment_length: { type: 'integer', description: 'Length in seconds of each segment.' } },
  required: ['audio_url'],
};

describe('a price', () => {
  it.each<[string, number, Model, object]>([
    [
      'images',
      0.03,
      IMAGE,
      { unit: 'image', unit_price_micro_usd: 30_000, quantity: { from: 'one' }, outputs: { field: 'num_images' } },
    ],
    ['image', 0.03, IMAGE, { unit: 'image' }],
    [
      'megapixels',
      0.0021,
      IMAGE,
      {
        unit: 'megapixel',
        unit_price_micro_usd: 2_100,
        quantity: { from: 'size', field: 'image_size' },
        rounding: 'up',
        outputs: { field: 'num_images' },
      },
    ],
    ['processed megapixels', 0.07, IMAGE, { unit: 'megapixel', quantity: bill, outputs: { count: 1 } }],
    ['seconds', 0.0007, VIDEO, { unit: 'second', unit_price_micro_usd: 700, quantity: field('duration') }],
    ['5 seconds', 0.01, VIDEO, { unit: 'second', unit_price_micro_usd: 2_000, per: 1 }],
    ['minutes', 0.3, VIDEO, { unit: 'second', unit_price_micro_usd: 5_000 }],
    ['video seconds', 0.3, VIDEO, { quantity: field('duration') }],
    ['compute seconds', 0.000_017, VIDEO, { unit: 'second', unit_price_micro_usd: 17_000, per: 1_000, quantity: bill }],
    ['gpu_second', 0.001, VIDEO, { unit: 'second', quantity: bill }],
    ['input seconds', 0.0008, STEMS, { unit: 'second', quantity: { from: 'media', field: 'audio_url' } }],
    [
      '1000 characters',
      0.04,
      SPEECH,
      { unit: '1000_characters', unit_price_micro_usd: 40_000, quantity: { from: 'text', fields: ['text'] } },
    ],
    ['1000 tokens', 0.01, VIDEO, { unit: 'token', unit_price_micro_usd: 10_000_000, per: 1_000_000, quantity: bill }],
    ['1m tokens', 1.2, VIDEO, { unit: 'token', unit_price_micro_usd: 1_200_000, per: 1_000_000 }],
    ['generations', 0.3, VIDEO, { unit: 'run', unit_price_micro_usd: 300_000, quantity: { from: 'one' } }],
    ['generations', 0.3, IMAGE, { unit: 'run', quantity: bill }],
    ['units', 0.15, VIDEO, { unit: 'run', unit_price_micro_usd: 150_000, quantity: bill }],
    ['video segments', 0.15, VIDEO, { unit: 'run', quantity: bill }],
    ['', 0.15, VIDEO, { unit: 'run', quantity: bill }],
    ['__proto__', 0.15, VIDEO, { unit: 'run', quantity: bill }],
    ['constructor', 0.15, VIDEO, { unit: 'run', quantity: bill }],
  ])('per %s is suggested', async (unit, unit_price, model, expected) => {
    const { price } = await suggest({ unit_price, unit }, model);
    expect(AddedPrice.parse(price)).toMatchObject(expected);
  });

  it.each([-1, 1e12, 9e15, 1e21, Number.NaN])('of %d dollars is not suggested', async (unit_price) => {
    expect(await suggest({ unit_price, unit: 'seconds' }, VIDEO)).toMatchObject({
      price: null,
      problem: expect.stringContaining('Enter the price.'),
    });
  });

  it('is rounded up to a micro-dollar', async () => {
    const { price } = await suggest({ unit_price: 1e-300, unit: 'seconds' }, VIDEO);
    expect(price).toMatchObject({ unit_price_micro_usd: 1 });
  });
});

describe('seconds', () => {
  const music = (fields: Readonly<Record<string, unknown>>): Model => ({
    category: 'text-to-audio',
    fields: { prompt: text, ...fields },
    required: ['prompt'],
  });

  it.each<[string, Model, PriceQuantity]>([
    [
      'milliseconds by name',
      music({ music_length_ms: seconds('How long.') }),
      field('music_length_ms', { measured_in: 'milliseconds' }),
    ],
    [
      'milliseconds by description',
      music({ duration: { type: 'integer', maximum: 600_000, description: 'In milliseconds.' } }),
      field('duration', { measured_in: 'milliseconds' }),
    ],
    [
      'minutes by description',
      music({ song_length: seconds('How many minutes to play.') }),
      field('song_length', { measured_in: 'minutes' }),
    ],
    ['seconds by options', music({ length: { enum: ['10s', '30s'], default: '10s' } }), field('length')],
    [
      'a total, not a start',
      music({ seconds_start: seconds('Where it starts.'), seconds_total: seconds('How long it is.') }),
      field('seconds_total'),
    ],
    ['no number without a unit', music({ length: { type: 'integer' } }), bill],
    ['no frames', music({ duration: { type: 'integer', maximum: 241, description: 'In frames.' } }), bill],
    [
      'neither of two lengths',
      music({ intro_duration: seconds('In seconds.'), duration: seconds('In seconds.') }),
      bill,
    ],
    ['no length of a part', music({ intro_length_seconds: seconds('How long it begins.') }), bill],
    ['no bound', music({ max_duration: seconds('In seconds.') }), bill],
    ['the file, not a parameter', STEMS, { from: 'media', field: 'audio_url', largest: null }],
    ['no reference voice', SPEECH, bill],
    [
      'no file that is extended',
      { ...STEMS, fields: { ...STEMS.fields, extend_seconds: seconds('In seconds.') } },
      bill,
    ],
  ])('count %s', async (_name, model, quantity) => {
    const { price } = await suggest({ unit_price: 0.01, unit: 'seconds' }, model);
    expect(price?.quantity).toEqual(quantity);
  });

  it('of a field in milliseconds are priced as seconds', async () => {
    const form = await formOf(music({ length_ms: { type: 'integer', minimum: 3_000, maximum: 600_000 } }));
    const { price } = suggestPrice({ unit_price: 0.8, unit: 'minutes' }, form);
    const model = { name: '', contract: form.contract, price: price ?? expect.fail() };
    expect(quote(model, { length_ms: 60_000 })).toMatchObject({ amount_micro_usd: 800_040n, certainty: 'exact' });
    expect(quote(model, { length_ms: null })).toMatchObject({ amount_micro_usd: 8_000_400n, certainty: 'estimated' });
  });
});

describe('what a provider writes about a price', () => {
  it.each<[string, string, Model, PriceQuantity]>([
    [
      'images',
      'Your request will cost **$0.05** per image. For **$1.00**, you can run this model **20** times.',
      IMAGE,
      { from: 'one' },
    ],
    ['images', '$0.05 per image. 4K outputs are charged at double the standard rate.', IMAGE, bill],
    ['images', 'Your request will cost $0.05 with TURBO and $0.09 with QUALITY.', IMAGE, bill],
    ['images', 'Your request will cost $0.45 for 360p.', IMAGE, bill],
    ['megapixels', 'It costs $0.05 per megapixel, rounded up to the nearest megapixel.', IMAGE, bill],
    [
      'megapixels',
      'It costs $0.05 per megapixel of output.',
      IMAGE,
      { from: 'size', field: 'image_size', largest: null },
    ],
    ['megapixels', 'Requests cost $0.05 per megapixel of input and output.', IMAGE, bill],
    ['seconds', 'For every second of video you generate you will be charged $0.05.', VIDEO, field('duration')],
    ['seconds', 'You will be charged $0.05 (audio off) or $0.10 (audio on) per second.', VIDEO, bill],
    ['seconds', 'It costs 0.05 cents/s of video.', VIDEO, bill],
    ['seconds', 'Your request will cost $0.05 per second of generated audio.', STEMS, bill],
    [
      'minutes',
      'Your request will cost $0.05 per input audio minute.',
      STEMS,
      { from: 'media', field: 'audio_url', largest: null },
    ],
  ])('decides on %s: %s', async (unit, price_text, model, quantity) => {
    const suggested = await suggest({ unit_price: 0.05, unit }, { ...model, price_text });
    expect(suggested.price?.quantity).toEqual(quantity);
  });

  it('is named where it has more than the price, and so are fields that may change it', async () => {
    const price = { unit_price: 0.05, unit: 'images' };
    const price_text = 'It costs $0.05 per image, and $0.10 in 4K.';
    expect((await suggest(price, { ...IMAGE, price_text })).problem).toContain('The provider’s text');
    const resolution = { enum: ['1K', '4K'], default: '1K' };
    const tiered = { ...IMAGE, fields: { ...IMAGE.fields, resolution } };
    expect(await suggest(price, tiered)).toMatchObject({
      price: { quantity: bill },
      problem: expect.stringContaining('may change its price'),
    });
    expect((await suggest(price, { ...tiered, price_text: 'It costs $0.05 per image.' })).problem).toBeNull();
  });
});

describe('toPriceUnits', () => {
  it.each([
    [{ units: 2, unit: 'minutes' }, 'second', 'field', 120],
    [{ units: 3, unit: '5 seconds' }, 'second', 'result', 15],
    [{ units: 0.5, unit: '1000 characters' }, '1000_characters', 'text', 0.5],
    [{ units: 500, unit: 'characters' }, '1000_characters', 'text', 0.5],
    [{ units: 2, unit: '1000 tokens' }, 'token', 'result', 2_000],
    [{ units: 2, unit: '1m tokens' }, 'token', 'result', 2_000_000],
    [{ units: 0, unit: 'images' }, 'image', 'one', 0],
    [{ units: 4, unit: 'images' }, 'megapixel', 'size', null],
    [{ units: 3, unit: 'units' }, 'run', 'result', 3],
    [{ units: 3, unit: 'units' }, 'run', 'one', null],
    [{ units: 3, unit: 'units' }, 'second', 'result', null],
  ] as const)('converts %j to %s counted by %s: %s', (billed, unit, from, expected) => {
    const quantities: Record<typeof from, PriceQuantity> = {
      one: { from: 'one' },
      field: { from: 'field', field: 'duration', largest: null },
      text: { from: 'text', fields: ['text'], largest: null },
      size: { from: 'size', field: 'size', largest: null },
      result: { from: 'result', largest: null },
    };
    expect(toPriceUnits({ unit, quantity: quantities[from] }, billed)).toBe(expected);
  });
});
