import { describe, expect, it } from 'vitest';
import { parseInput } from '../parse-input.ts';
import { extractReferences } from '../task-input.ts';
import { encodeInput } from './encode-input.ts';
import { normalizeFal } from './provider-schemas.ts';
import { falDocument } from './testing/fal-document.ts';

/** What an input becomes, with each file at an address that names its path. */
async function encode(properties: Record<string, unknown>, input: object, required: string[] = []) {
  const model = await normalizeFal(falDocument(properties, { required }));
  const parsed = parseInput(model.contract, input, null);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.details));
  return {
    sent: encodeInput(model, parsed.input, (path) => `https://files.test/${path}`),
    references: extractReferences(model.contract, parsed.input),
  };
}

const file = { url: 'https://example.com/a.png' };

describe('encodeInput', () => {
  it('leaves out what is not set, and adds constants', async () => {
    const properties = { prompt: { type: 'string' }, seed: { type: 'integer' }, version: { const: '3' } };
    expect((await encode(properties, { prompt: 'A loop' })).sent).toEqual({ prompt: 'A loop', version: '3' });
  });

  it('sends nothing for a field that has the name of an inherited property and is not set', async () => {
    const properties = { prompt: { type: 'string' }, toString: { type: 'string' }, valueOf: { type: 'integer' } };
    expect((await encode(properties, { prompt: 'A loop' })).sent).toEqual({ prompt: 'A loop' });
    expect((await encode(properties, { toString: 'mine' })).sent).toEqual({ toString: 'mine' });
  });

  it('sends null where the schema would use a default instead', async () => {
    const properties = {
      fps: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: 16 },
      seed: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    };
    expect((await encode(properties, { fps: null, seed: null })).sent).toEqual({ fps: null });
  });

  it('sends files as addresses, also those of rows and groups', async () => {
    const element = { type: 'object', properties: { image_url: { type: 'string' }, kind: { const: 'person' } } };
    const properties = {
      video_url: { type: 'string' },
      image_urls: { type: 'array', items: { type: 'string' } },
      elements: { type: 'array', items: element },
    };
    const input = { video_url: file, image_urls: [file, file], elements: [{ image_url: file }, {}] };
    const { sent, references } = await encode(properties, input);
    expect(sent).toEqual({
      video_url: 'https://files.test/video_url',
      image_urls: ['https://files.test/image_urls.0', 'https://files.test/image_urls.1'],
      elements: [{ image_url: 'https://files.test/elements.0.image_url', kind: 'person' }, { kind: 'person' }],
    });
    expect(references.map(({ path }) => path)).toEqual([
      'video_url',
      'image_urls.0',
      'image_urls.1',
      'elements.0.image_url',
    ]);
  });

  it('keeps the JSON type of options and writes numbers as numbers', async () => {
    const properties = {
      duration: { enum: ['5', '10'], default: '5' },
      steps: { enum: [4, 8], default: 4 },
      bpm: { anyOf: [{ type: 'integer' }, { const: 'auto' }], default: 'auto' },
    };
    expect((await encode(properties, { bpm: '120' })).sent).toEqual({ duration: '5', steps: 4, bpm: 120 });
    expect((await encode(properties, {})).sent).toMatchObject({ bpm: 'auto' });
  });

  it('puts the values of the Advanced field beside the others', async () => {
    const properties = { prompt: { type: 'string' }, plan: {} };
    const { sent } = await encode(properties, { prompt: 'A loop', advanced: { plan: { a: [1] } } });
    expect(sent).toEqual({ prompt: 'A loop', plan: { a: [1] } });
  });
});
