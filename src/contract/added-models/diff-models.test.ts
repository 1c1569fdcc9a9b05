import { describe, expect, it } from 'vitest';
import { diffModels } from './diff-models.ts';
import type { AddedPrice } from './prices/price-schema.ts';
import { normalizeFal } from './provider-schemas.ts';
import type { PublishedPrice } from './prices/suggest-price.ts';
import { falDocument } from './testing/fal-document.ts';
import { RUN_PRICE } from './testing/run-price.ts';

type Schemas = Readonly<Record<string, unknown>>;

const PRICE: AddedPrice = { ...RUN_PRICE, unit: 'image', unit_price_micro_usd: 40_000 };

interface DiffOptions {
  /** Required inputs before and after. */
  required?: readonly [before: readonly string[], after: readonly string[]];
  outputs?: readonly [before: Schemas, after: Schemas];
  price?: Partial<AddedPrice>;
  published_price?: PublishedPrice;
}

/** The changes as `message` or `! message` for those that break. */
async function diff(before: Schemas, after: Schemas, options: DiffOptions = {}): Promise<string[]> {
  const { required = [[], []], outputs = [{}, {}], price, published_price } = options;
  const [older, newer] = await Promise.all(
    [before, after].map((properties, at) =>
      normalizeFal(falDocument(properties, { required: required[at] ?? [], output: outputs[at] ?? {} })),
    ),
  );
  if (!older || !newer) return expect.fail();
  const changes = diffModels(
    { normalized: older, price: { ...PRICE, ...price } },
    { normalized: newer, published_price },
  );
  return changes.map(({ message, breaks }) => (breaks ? `! ${message}` : message));
}

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 1, maximum: 100 };
const style = (...options: unknown[]) => ({ style: { enum: options } });

describe('diffModels', () => {
  it('finds nothing in equal schemas, also with other words and another order', async () => {
    const described = {
      steps: { ...whole, description: 'How long it works' },
      prompt: { ...text, title: 'Your prompt' },
    };
    expect(await diff({ prompt: text, steps: whole }, described)).toEqual([]);
  });

  it('names new and removed fields', async () => {
    expect(await diff({ prompt: text, steps: whole }, { prompt: text, tone: text })).toEqual([
      '! “Steps” no longer exists.',
      '“Tone” is new.',
    ]);
    expect(await diff({}, { tone: text }, { required: [[], ['tone']] })).toEqual([
      '! “Tone” is new and has to be set.',
    ]);
  });

  it('tells what is newly required from what a default always sets', async () => {
    const required = [[], ['steps']] as const;
    expect(await diff({ steps: whole }, { steps: whole }, { required })).toEqual(['! “Steps” has to be set now.']);
    expect(await diff({ steps: { ...whole, default: 8 } }, { steps: whole }, { required })).toEqual([
      '“Steps” has to be set now.',
    ]);
    expect(await diff({ steps: whole }, { steps: whole }, { required: [['steps'], []] })).toEqual([
      '“Steps” no longer has to be set.',
    ]);
    const fps = { anyOf: [whole, { type: 'null' }], default: 16 };
    expect(await diff({ fps }, { fps: { ...whole, default: 16 } })).toEqual(['! “Fps” can no longer be empty.']);
  });

  it('names options that come and go, with their JSON type', async () => {
    expect(await diff(style('a', 'b', 'c'), style('a', 'd'))).toEqual([
      '! “Style” no longer offers b and c.',
      '“Style” also offers d.',
    ]);
    expect(await diff(style('5', '10'), style(5, 10))).toEqual([
      '! “Style” no longer offers 5 and 10.',
      '“Style” also offers 5 and 10.',
    ]);
    const many = Array.from({ length: 9 }, (_, index) => `look-${index}`);
    expect(await diff(style('a'), style('a', ...many))).toEqual([
      '“Style” also offers look-0, look-1, look-2, look-3, look-4 and 4 more.',
    ]);
  });

  it('knows that own texts cover options', async () => {
    const own = { style: { anyOf: [{ enum: ['a'] }, text] } };
    expect(await diff(style('a', 'b'), own)).toEqual([
      '“Style” no longer offers b.',
      '“Style” accepts other texts of up to 200 characters.',
    ]);
    expect(await diff(own, style('a'))).toEqual(['! “Style” no longer accepts other texts.']);
  });

  it('breaks where bounds become narrower only', async () => {
    const bounds = (schema: object) => diff({ steps: whole }, { steps: { ...whole, ...schema } });
    expect(await bounds({ maximum: 50 })).toEqual(['! “Steps” takes 1 to 50 instead of 1 to 100.']);
    expect(await bounds({ minimum: 0, maximum: 500 })).toEqual(['“Steps” takes 0 to 500 instead of 1 to 100.']);
    expect(await bounds({ multipleOf: 8 })).toEqual(['! “Steps” takes multiples of 8 only.']);
    const above = (exclusiveMinimum?: number) => ({ scale: { type: 'number', minimum: 0, exclusiveMinimum } });
    expect(await diff(above(), above(0))).toEqual(['! “Scale” takes more than 0 instead of at least 0.']);
    expect(await diff({ prompt: { ...text, maxLength: 900 } }, { prompt: { ...text, maxLength: 300 } })).toEqual([
      '! “Prompt” takes 1 to 300 characters instead of 1 to 900.',
    ]);
    const images = (maxItems: number) => ({ image_urls: { type: 'array', items: text, maxItems } });
    expect(await diff(images(9), images(4))).toEqual(['! “Images” takes 1 to 4 files instead of 1 to 9.']);
  });

  it('names other kinds of values and of media', async () => {
    expect(await diff({ seed: text }, { seed: whole })).toEqual(['! “Seed” takes a whole number instead of a text.']);
    expect(await diff({ seed: whole }, { seed: { type: 'number', minimum: 1, maximum: 100 } })).toEqual([
      '“Seed” takes a number instead of a whole number.',
    ]);
    expect(await diff(style('a'), { style: text })).toEqual(['“Style” takes a text instead of a choice.']);
    const source = (description: string) => ({ source_url: { type: 'string', description } });
    expect(await diff(source('The image.'), source('The video.'))).toEqual([
      '! “Source” takes videos instead of images.',
    ]);
  });

  it('names other defaults', async () => {
    expect(await diff({ steps: { ...whole, default: 8 } }, { steps: { ...whole, default: 9 } })).toEqual([
      '“Steps” starts with 9 instead of 8.',
    ]);
  });

  it('compares the fields of groups, rows and lists', async () => {
    const rows = (properties: Schemas) => ({ loras: { type: 'array', items: { type: 'object', properties } } });
    expect(
      await diff(rows({ path: text, scale: whole }), rows({ path: text, scale: { ...whole, maximum: 2 } })),
    ).toEqual(['! “Loras: Scale” takes 1 to 2 instead of 1 to 100.']);
    expect(await diff(rows({ path: text, scale: whole }), rows({ path: text }))).toEqual([
      '! “Loras: Scale” no longer exists.',
    ]);
    const list = (...options: string[]) => ({ looks: { type: 'array', items: { enum: options } } });
    expect(await diff(list('a', 'b'), list('a', 'c'))).toEqual([
      '! “Looks: each” no longer offers b.',
      '“Looks: each” also offers c.',
    ]);
  });

  it('follows inputs between the form, Advanced and the constants', async () => {
    const free = { type: 'object', additionalProperties: true };
    expect(await diff({ plan: text }, { plan: free })).toEqual(['! “Plan” has to be written as JSON in Advanced.']);
    expect(await diff({ plan: free }, { plan: text })).toEqual(['“Plan” has a field of its own now.']);
    expect(await diff({ plan: free, tone: text }, { tone: text })).toEqual(['! Advanced no longer has “plan”.']);
    expect(await diff({ plan: free }, { plan: { ...free, minProperties: 1 } })).toEqual([]);
    expect(await diff({ tone: text }, { tone: text, plan: free })).toEqual(['“plan” of Advanced is new.']);
    expect(await diff({ version: { const: '3' } }, { version: { const: '4' } })).toEqual([
      '! The constant “version” is 4 instead of 3.',
    ]);
    expect(await diff(style('a'), { style: { const: 'a' } })).toEqual(['! “Style” is always a now.']);
    expect(await diff({ style: { const: 'a' } }, style('a', 'b'))).toEqual(['“Style” can be chosen now.']);
  });

  it('names other outputs', async () => {
    const output = (name: string) => ({ [name]: { type: 'object', properties: { url: text } } });
    expect(await diff({}, {}, { outputs: [output('image'), output('video')] })).toEqual([
      'The model returns videos instead of images.',
    ]);
  });

  it('says that a schema changed where no field did', async () => {
    const output = (format: string) => ({ image: { type: 'object', properties: { url: { ...text, format } } } });
    expect(await diff({}, {}, { outputs: [output('uri'), output('other')] })).toEqual([
      'The schema changed in a way that the form does not show.',
    ]);
  });

  it('names another price in the same unit, and fields that a price lost', async () => {
    const published = (unit_price: number, unit: string) => diff({}, {}, { published_price: { unit_price, unit } });
    expect(await published(0.04, 'image')).toEqual([]);
    expect(await published(0.05, 'images')).toEqual([
      'The provider’s price is $0.05 per image; yours is $0.04 per image.',
    ]);
    expect(await published(0.05, 'units')).toEqual([]);
    const price = {
      unit: 'second',
      quantity: { from: 'field', field: 'duration', largest: null },
      tiers: [{ when: [{ field: 'steps', in: [4] }], multiplier: 2_000_000 }],
    } satisfies Partial<AddedPrice>;
    expect(await diff({ duration: whole, steps: whole }, { steps: whole }, { price })).toEqual([
      '! “Duration” no longer exists.',
      '! The price depends on duration, which the model no longer has.',
    ]);
  });
});
