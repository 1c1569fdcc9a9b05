import { describe, expect, it } from 'vitest';
import type { FieldSpec } from '../task.ts';
import { parseInput } from '../parse-input.ts';
import { encodeInput } from './encode-input.ts';
import { SCHEMA_LIMITS } from './schema-limits.ts';
import { normalizeFal, normalizeReplicate } from './provider-schemas.ts';
import { SchemaError } from './schema-error.ts';
import { falDocument } from './testing/fal-document.ts';

const IMAGE_SIZE = {
  ImageSize: {
    type: 'object',
    properties: {
      width: { type: 'integer', exclusiveMinimum: 0, maximum: 14_142, default: 512 },
      height: { type: 'integer', exclusiveMinimum: 0, maximum: 14_142, default: 512 },
    },
  },
};

/** The field that a property becomes. */
async function fieldOf(schema: unknown, { required = false, name = 'value', schemas = {} } = {}): Promise<FieldSpec> {
  const document = falDocument({ [name]: schema }, { required: required ? [name] : [], schemas });
  const { contract } = await normalizeFal(document);
  const [field] = contract.fields;
  if (!field) throw new Error('No field');
  return field;
}

const reasonOf = async (schema: unknown, schemas = {}) =>
  (await normalizeFal(falDocument({ value: schema }, { schemas }))).advanced?.reasons['value'];

describe('a schema of fal', () => {
  it('is found by its paths, and ordered as fal orders it', async () => {
    const model = await normalizeFal(
      falDocument(
        { seed: { type: 'integer' }, prompt: { type: 'string', title: 'Prompt' }, image_url: { type: 'string' } },
        {
          required: ['prompt'],
          order: ['prompt', 'image_url', 'seed'],
          output: { video: { $ref: '#/components/schemas/File' } },
          schemas: { File: { type: 'object', properties: { url: { type: 'string' } } } },
        },
      ),
    );
    expect(model.contract.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['prompt', 'text'],
      ['image_url', 'reference'],
      ['seed', 'integer'],
    ]);
    expect(model).toMatchObject({
      advanced: null,
      media: { image_url: 'image' },
      output: { files: [{ path: 'video.url', kind: 'video', many: false }], has_data: false },
    });
    expect(parseInput(model.contract, { prompt: 'A loop' }, null)).toMatchObject({
      ok: true,
      input: { prompt: 'A loop', image_url: null, seed: null },
    });
  });

  it.each<[string, unknown, object]>([
    ['text', { type: 'string', maxLength: 80 }, { kind: 'text', nullable: true, default: null, max_length: 80 }],
    ['text with a default', { type: 'string', default: 'blurry' }, { kind: 'text', default: 'blurry' }],
    [
      'number',
      { type: 'number', exclusiveMinimum: 0, maximum: 2, default: 1 },
      { kind: 'number', min: 0, exclusive_min: true, max: 2, default: 1 },
    ],
    [
      'number of OpenAPI 3.0',
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      { kind: 'number', min: 0, exclusive_min: true },
    ],
    [
      'whole number',
      { type: 'integer', exclusiveMinimum: 0, multipleOf: 8 },
      { kind: 'integer', min: 1, max: null, multiple_of: 8 },
    ],
    [
      'number or whole number',
      {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'number', minimum: 1 },
        ],
      },
      { kind: 'number', min: 1 },
    ],
    ['seed of 64 bits', { type: 'integer', maximum: 18_446_744_073_709_552_000 }, { kind: 'integer', max: null }],
    ['switch', { type: 'boolean', default: true }, { kind: 'boolean', default: true }],
    [
      'switch without a default',
      { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      { kind: 'boolean', default: null, nullable: true },
    ],
    [
      'choice of texts',
      { enum: ['5', '10'], type: 'string', default: '5' },
      { kind: 'choice', options: ['5', '10'], default: '5' },
    ],
    [
      'choice of numbers',
      { enum: [5, 10], type: 'integer', default: 10 },
      { kind: 'choice', options: [5, 10], default: 10 },
    ],
    [
      'choice or null',
      { anyOf: [{ enum: ['low', 'high'], type: 'string' }, { type: 'null' }] },
      { kind: 'choice', nullable: true, default: null },
    ],
    ['choice with null in it', { enum: ['low', null] }, { kind: 'choice', options: ['low'], nullable: true }],
    [
      'choice or own text',
      { anyOf: [{ enum: ['1:1', '16:9'], type: 'string' }, { type: 'string' }], default: '16:9' },
      { kind: 'choice', own_max_length: SCHEMA_LIMITS.option_characters, default: '16:9', control: 'ratio' },
    ],
    ['list of types', { type: ['string', 'null'] }, { kind: 'text', nullable: true }],
    [
      'size',
      {
        anyOf: [{ $ref: '#/components/schemas/ImageSize' }, { enum: ['square_hd'], type: 'string' }],
        default: { width: 2048, height: 1024 },
      },
      { kind: 'size', options: ['square_hd'], min: 1, max: 14_142, default: { width: 2048, height: 1024 } },
    ],
    ['size without names', { $ref: '#/components/schemas/ImageSize' }, { kind: 'size', options: [], nullable: true }],
    [
      'group',
      { allOf: [{ type: 'object', properties: { speed: { type: 'number', default: 1 } } }], default: { speed: 2 } },
      { kind: 'group', nullable: true, fields: [{ name: 'speed', default: 2 }] },
    ],
    [
      'rows',
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, scale: { type: 'number', default: 1 } },
          required: ['path'],
        },
        maxItems: 3,
        default: [],
      },
      { kind: 'rows', max_items: 3, fields: [{ name: 'path', kind: 'text', required: true }, { name: 'scale' }] },
    ],
    ['list of texts', { type: 'array', items: { type: 'string' } }, { kind: 'list', item: { kind: 'text' } }],
    [
      'list of numbers',
      { type: 'array', items: { type: 'integer', minimum: 1 } },
      { kind: 'list', item: { kind: 'integer', min: 1 } },
    ],
    [
      'several of a choice',
      { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
      { kind: 'list', item: { kind: 'choice' }, max_items: 100, default: ['a'] },
    ],
  ])('shows a %s', async (_name, schema, expected) => {
    expect(await fieldOf(schema, { schemas: IMAGE_SIZE })).toMatchObject(expected);
  });

  it('reads files inside of rows', async () => {
    const items = {
      type: 'object',
      properties: {
        frontal_image_url: { type: 'string' },
        reference_image_urls: { type: 'array', items: { type: 'string' } },
      },
    };
    expect(await fieldOf({ type: 'array', items }, { name: 'elements' })).toMatchObject({
      kind: 'rows',
      fields: [
        { name: 'frontal_image_url', kind: 'reference', media: 'image' },
        { name: 'reference_image_urls', kind: 'references', media: 'image' },
      ],
    });
  });

  it.each<[string, object, string | undefined]>([
    ['audio_url', {}, 'audio'],
    ['audio_url_person1', {}, 'audio'],
    ['mask_video_url', {}, 'video'],
    ['tail_image_url', {}, 'image'],
    ['input_url', { description: 'The sound that leads the video.' }, 'audio'],
    ['model_url', { description: 'A 3D model with an image as texture.' }, 'file'],
    ['images_data_url', { description: 'A zip archive of images.' }, 'file'],
    ['images_url', { description: 'Your pictures, as a .zip file.' }, 'file'],
    ['image_url', { description: 'An image, or a zip of images.' }, 'image'],
    ['control_lora_image_url', { description: 'The image for the control LoRA.' }, 'image'],
    ['voice_embedding_file_url', {}, 'file'],
    ['pointmap_url', { description: 'Depth of the image (NPY or NPZ).' }, 'file'],
    ['wav_url', {}, 'audio'],
    ['sample_url', { examples: ['https://files.test/a.mp4'] }, 'video'],
    ['image_url', { examples: ['https://files.test/all.zip'] }, 'file'],
    ['picture', { examples: ['https://files.test/a.png'] }, 'image'],
    ['call_back_url', {}, undefined],
    ['unet_name', {}, undefined],
    ['webhook_url', {}, undefined],
    ['resume_from_checkpoint', {}, undefined],
  ])('takes %s as %s', async (name, schema, expected) => {
    const { media } = await normalizeFal(falDocument({ [name]: { type: 'string', ...schema } }));
    expect(media[name]).toBe(expected);
  });

  it('says what else a field of files takes', async () => {
    const media_url = { type: 'string', description: 'URL of the media file (video or audio).' };
    const { media, notes } = await normalizeFal(falDocument({ media_url }));
    expect([media, notes]).toEqual([{ media_url: 'video' }, { media_url: 'It also takes audio.' }]);
  });

  it('lets an administrator correct what a field takes', async () => {
    const document = falDocument({ unet_name: { type: 'string' }, image_url: { type: 'string' } });
    const { contract } = await normalizeFal(document, { overrides: { unet_name: 'image', image_url: 'text' } });
    expect(contract.fields.map(({ kind }) => kind)).toEqual(['reference', 'text']);
  });

  it('hides constants and sends those that are not optional', async () => {
    const model = await normalizeFal(
      falDocument({
        version: { const: '3', type: 'string', default: '3' },
        beta: { anyOf: [{ const: true }, { type: 'null' }] },
        text: { type: 'string' },
      }),
    );
    expect(model.hidden).toEqual({ version: '3' });
    expect(model.contract.fields.map(({ name }) => name)).toEqual(['text']);
  });

  it('names what no field shows, and asks for it where it is required', async () => {
    const track = {
      type: 'object',
      properties: { keyframes: { type: 'array', items: { type: 'object', properties: { at: { type: 'number' } } } } },
    };
    const model = await normalizeFal(
      falDocument(
        { tracks: { type: 'array', items: track }, extra: {}, prompt: { type: 'string' } },
        { required: ['tracks'] },
      ),
    );
    expect(model.advanced).toMatchObject({
      field: 'advanced',
      names: ['tracks', 'extra'],
      reasons: { tracks: '“keyframes” in it holds objects.', extra: 'Its schema names no type.' },
      json_schema: { required: ['tracks'], additionalProperties: false },
    });
    expect(parseInput(model.contract, {}, null)).toMatchObject({ ok: false, details: [{ path: 'input.advanced' }] });
    expect(parseInput(model.contract, { advanced: { tracks: [] } }, null)).toMatchObject({ ok: true });
    expect(parseInput(model.contract, { advanced: { other: [] } }, null)).toMatchObject({ ok: false });
  });

  it('says which values of an input no field takes', async () => {
    const scale = { anyOf: [{ type: 'object', additionalProperties: { type: 'number' } }, { type: 'number' }] };
    expect((await normalizeFal(falDocument({ scale }))).notes).toEqual({ scale: 'It also takes an object.' });
  });

  it('keeps its hash while only texts for people change', async () => {
    const hash = async (schema: object) => (await normalizeFal(falDocument({ prompt: schema }))).hash;
    const first = await hash({ type: 'string', title: 'Prompt', description: 'Old' });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hash({ description: 'New', title: 'Text', type: 'string' })).toBe(first);
    expect(await hash({ type: 'string', maxLength: 10 })).not.toBe(first);
  });
});

describe('what a provider takes beside a plain value', () => {
  const nullable = (schema: object, more = {}) => ({ anyOf: [schema, { type: 'null' }], ...more });

  /** What is sent for an input; null if the form rejects it. */
  async function sent(properties: Readonly<Record<string, unknown>>, input: object, required: readonly string[] = []) {
    const model = await normalizeFal(falDocument(properties, { required }));
    const parsed = parseInput(model.contract, input, null);
    return parsed.ok ? encodeInput(model, parsed.input, (_path, url) => url) : null;
  }

  it('leaves an empty text out where the schema has a least length', async () => {
    const prompt = { type: 'string', minLength: 1 };
    expect(await sent({ prompt }, { prompt: '' })).toEqual({});
    expect(await sent({ prompt: { ...prompt, default: 'A pear' } }, { prompt: '' })).toEqual({});
    expect(await sent({ prompt: { type: 'string', default: 'A pear' } }, { prompt: '' })).toEqual({ prompt: '' });
  });

  it('sends null for a text and a list that have a default', async () => {
    const negative_prompt = nullable({ type: 'string' }, { default: 'blurry' });
    const stems = nullable({ type: 'array', items: { enum: ['drums', 'bass'] } }, { default: ['drums'] });
    expect(await sent({ negative_prompt, stems }, {})).toEqual({ negative_prompt: 'blurry', stems: ['drums'] });
    expect(await sent({ negative_prompt, stems }, { negative_prompt: null, stems: null })).toEqual({
      negative_prompt: null,
      stems: null,
    });
    expect(await sent({ tags: nullable({ type: 'array', items: { type: 'string' } }) }, { tags: null })).toEqual({});
  });

  it('does not ask for what may be null, and sends null for it', async () => {
    const fields = {
      mask_video_url: nullable({ type: 'string' }),
      image_urls: nullable({ type: 'array', items: { type: 'string' } }),
      notes: nullable({ type: 'array', items: { type: 'string' } }),
      title: nullable({ type: 'string' }),
    };
    const empty = { mask_video_url: null, image_urls: null, notes: null, title: null };
    expect(await sent(fields, {}, Object.keys(fields))).toEqual(empty);
    const row = { type: 'object', properties: { path: nullable({ type: 'string' }) }, required: ['path'] };
    expect(await sent({ rows: { type: 'array', items: row } }, { rows: [{}] })).toEqual({ rows: [{ path: null }] });
  });

  it('takes a JSON number for a number or a text, and one item for a list of them', async () => {
    const align = { anyOf: [{ type: 'string' }, { type: 'number' }], default: 'center' };
    const texts = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    expect(await sent({ align }, { align: 0.5 })).toEqual({ align: 0.5 });
    expect(await sent({ align }, { align: 'left' })).toEqual({ align: 'left' });
    expect(await sent({ align }, { align: true })).toBeNull();
    expect(await sent({ texts }, { texts: 'one' })).toEqual({ texts: ['one'] });
  });

  it('asks for a switch that has to be set', async () => {
    const custom = { type: 'boolean' };
    expect(await sent({ custom }, {}, ['custom'])).toBeNull();
    expect(await sent({ custom }, { custom: false }, ['custom'])).toEqual({ custom: false });
  });
});

describe('a hostile schema', () => {
  it('that refers to itself goes to the Advanced field', async () => {
    const schemas = {
      Node: { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } } },
    };
    expect(await reasonOf({ $ref: '#/components/schemas/Node' }, schemas)).toBe('“child” in it: It refers to itself.');
    expect(await reasonOf({ $ref: '#/components/schemas/Missing' })).toBe('It refers to a schema that is not there.');
    expect(await reasonOf({ $ref: 'https://example.com/schema.json' })).toBe(
      'It refers to a schema that is not there.',
    );
  });

  it('that grows without end is rejected', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 11 }, (_, at) => [
        `L${at}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 10 }, (__, each) => [`p${each}`, { $ref: `#/components/schemas/L${at + 1}` }]),
          ),
        },
      ]),
    );
    await expect(
      normalizeFal(falDocument({ value: { $ref: '#/components/schemas/L0' } }, { schemas })),
    ).rejects.toThrow(SchemaError);
  });

  it('that is nested too deeply goes to the Advanced field', async () => {
    const deep = Array.from({ length: 50 }).reduce<object>((items) => ({ type: 'array', items }), { type: 'string' });
    expect(await reasonOf(deep)).toBe('Its items are lists.');
  });

  it('has no pattern left, and its texts are one clean line', async () => {
    const model = await normalizeFal(
      falDocument({
        value: {
          type: 'string',
          pattern: '^(a+)+$',
          title: 'A\u202Eevil\n\u0000title',
          description: 'x'.repeat(5_000),
        },
        plan: { type: 'array', items: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } } },
      }),
    );
    expect(JSON.stringify(model)).not.toContain('(a+)+');
    expect(model.contract.fields[0]).toMatchObject({ label: 'A evil title' });
    expect(model.contract.fields[0]?.help).toHaveLength(SCHEMA_LIMITS.help_characters);
  });

  it('has no field with a dangerous name', async () => {
    const properties = JSON.parse(
      '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}, "a.b": {"type": "string"}, "ok": {"type": "string"}}',
    ) as object;
    const model = await normalizeFal(falDocument(properties as Record<string, unknown>));
    expect(model.contract.fields.map(({ name }) => name)).toEqual(['ok']);
    await expect(normalizeFal(falDocument({ 'a.b': { type: 'string' } }, { required: ['a.b'] }))).rejects.toThrow(
      SchemaError,
    );
  });

  it('has at most so many fields and options', async () => {
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`f${at}`, { type: 'string' }]));
    const model = await normalizeFal(falDocument(many));
    expect(model.contract.fields).toHaveLength(SCHEMA_LIMITS.fields + 1);
    expect(model.advanced?.names).toHaveLength(10);
    const options = (length: number) => Array.from({ length }, (_, at) => `o${at}`);
    expect(await fieldOf({ enum: options(5_000) })).toMatchObject({ kind: 'choice' });
    expect(await reasonOf({ enum: options(20_001) })).toContain('more than 20000 options');
    expect(await reasonOf({ type: 'array', items: { enum: options(501) } })).toContain('more than 500 options');
    expect(await reasonOf({ enum: ['5', 5] })).toContain('read the same');
    expect(await reasonOf({ type: 'integer', minimum: 5, maximum: 1 })).toContain('minimum is greater');
  });

  it.each([[null], ['text'], [{}], [{ paths: { '/a': { get: {} } } }], [[]]])('%j is rejected', async (document) => {
    await expect(normalizeFal(document)).rejects.toThrow(SchemaError);
    await expect(normalizeReplicate(document)).rejects.toThrow(SchemaError);
  });
});

describe('a schema of Replicate', () => {
  it('takes files by their format, options by reference and its own order', async () => {
    const model = await normalizeReplicate({
      components: {
        schemas: {
          Input: {
            type: 'object',
            required: ['speaker'],
            properties: {
              speed: {
                allOf: [{ $ref: '#/components/schemas/speed' }],
                default: 'fast',
                'x-order': 2,
                description: 'How fast',
              },
              speaker: { type: 'string', format: 'uri', 'x-order': 0 },
              images: { type: 'array', items: { type: 'string', format: 'uri' }, 'x-order': 1 },
            },
          },
          Output: { type: 'array', items: { type: 'string', format: 'uri' } },
          speed: { enum: ['slow', 'fast'], type: 'string', title: 'speed' },
        },
      },
    });
    expect(model.contract.fields).toMatchObject([
      { name: 'speaker', kind: 'reference', media: 'audio', required: true },
      { name: 'images', kind: 'references', media: 'image', min_items: 0 },
      { name: 'speed', kind: 'choice', options: ['slow', 'fast'], default: 'fast', help: 'How fast' },
    ]);
    expect(model.output).toEqual({ files: [{ path: '[]', kind: null, many: true }], has_data: false });
  });
});
