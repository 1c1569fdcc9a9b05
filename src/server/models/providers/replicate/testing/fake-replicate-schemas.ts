import { isJson, type Json } from '#contract/json-value.ts';
import type { FakeMask } from '#server/models/engine/testing/mask-fault.ts';

/** A model of the fake's catalog, which its predictions validate inputs by. */
export interface FakeReplicateModel {
  owner: string;
  name: string;
  description: string;
  is_official: boolean;
  /** OpenAPI documents by version, the newest last; none: nobody can run it. */
  versions: Readonly<Record<string, Json>>;
  /** Extension of its files; null: it returns text. */
  extension: string | null;
  /** `one`: the output is an address instead of a list. */
  output: 'one' | 'list';
  metrics: Json;
  /** The mask that it takes, which is verified when it runs. */
  mask?: FakeMask;
}

export const versionId = (digit: string): string => digit.repeat(64);

/** A document as cog writes it: choices are schemas of their own. */
function cogDocument(
  input: Json,
  required: readonly string[],
  output: Json,
  choices: Readonly<Record<string, readonly (string | number)[]>> = {},
): Json {
  const enums = Object.entries(choices).map(([name, values]) => {
    const type = typeof values[0] === 'string' ? 'string' : 'integer';
    return [name, { title: name, description: 'An enumeration.', enum: values, type }] as const;
  });
  const properties = Object.entries(input).map(([name, schema], order) => [
    name,
    { title: name, ...(isJson(schema) ? schema : {}), 'x-order': order },
  ]);
  return {
    openapi: '3.0.2',
    info: { title: 'Cog', version: '0.1.0' },
    paths: {},
    components: {
      schemas: {
        Input: { title: 'Input', type: 'object', required, properties: Object.fromEntries(properties) },
        Output: { title: 'Output', ...output },
        ...Object.fromEntries(enums),
      },
    },
  };
}

const uri = { type: 'string', format: 'uri' };
const choiceOf = (name: string): Json => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });
const seed = { type: 'integer', description: 'Leave blank for a random one.' };

const melody = {
  prompt: { type: 'string', description: 'Describe the music.' },
  duration: { type: 'integer', minimum: 1, maximum: 60, default: 8 },
  variations: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
};

export const FAKE_REPLICATE_MODELS: readonly FakeReplicateModel[] = [
  {
    owner: 'acme',
    name: 'fill',
    description: 'Fills what a mask leaves out',
    is_official: true,
    versions: {
      [versionId('e')]: cogDocument(
        {
          image: uri,
          mask: { ...uri, description: 'A black and white image. Black pixels are inpainted, white ones are kept.' },
        },
        ['image', 'mask'],
        uri,
      ),
    },
    extension: 'png',
    output: 'one',
    metrics: { image_output_count: 1 },
    mask: { mask: 'mask', picture: 'image', polarity: 'black' },
  },
  {
    owner: 'acme',
    name: 'sdxl',
    description: 'Repaints what a mask marks',
    is_official: true,
    versions: {
      [versionId('f')]: cogDocument(
        {
          image: { ...uri, description: 'Input image for img2img or inpaint mode' },
          mask: {
            ...uri,
            description: 'Input mask for inpaint mode. Black areas will be preserved, white areas will be inpainted.',
          },
        },
        [],
        uri,
      ),
    },
    extension: 'png',
    output: 'one',
    metrics: { image_output_count: 1 },
    mask: { mask: 'mask', picture: 'image', polarity: 'white' },
  },
  {
    owner: 'acme',
    name: 'reader',
    description: 'Reads a text aloud',
    is_official: false,
    versions: {
      [versionId('a')]: cogDocument(
        {
          text: { type: 'string', description: 'What to say.' },
          voice: { ...choiceOf('voice'), default: 'Ada' },
          speaker: { ...uri, description: 'A voice to copy, as an audio file.' },
          speed: { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
          seed,
        },
        ['text'],
        uri,
        { voice: ['Ada', 'Ben', 'Cleo'] },
      ),
    },
    extension: 'wav',
    output: 'one',
    metrics: { predict_time: 2.5, total_time: 4 },
  },
  {
    owner: 'acme',
    name: 'sharpen',
    description: 'Upscales an image',
    is_official: true,
    versions: {
      [versionId('b')]: cogDocument(
        {
          image: { ...uri, description: 'The image to upscale.' },
          scale: { ...choiceOf('scale'), default: 2 },
          face_enhance: { type: 'boolean', default: false },
        },
        ['image'],
        uri,
        { scale: [2, 4] },
      ),
    },
    extension: 'png',
    output: 'one',
    metrics: { image_output_count: 1, predict_time: 3, total_time: 3 },
  },
  {
    owner: 'acme',
    name: 'composer',
    description: 'Composes music',
    is_official: false,
    versions: {
      [versionId('c')]: cogDocument(melody, ['prompt'], { type: 'array', items: uri }),
      [versionId('d')]: cogDocument({ ...melody, seed }, ['prompt'], { type: 'array', items: uri }),
    },
    extension: 'mp3',
    output: 'list',
    metrics: { predict_time: 12, total_time: 20 },
  },
  {
    owner: 'acme',
    name: 'describer',
    description: 'Describes an image in words',
    is_official: true,
    versions: {
      [versionId('e')]: cogDocument(
        { image: uri, question: { type: 'string', default: 'What is in the picture?' } },
        ['image'],
        {
          type: 'array',
          items: { type: 'string' },
          'x-cog-array-type': 'iterator',
          'x-cog-array-display': 'concatenate',
        },
      ),
    },
    extension: null,
    output: 'list',
    metrics: { input_token_count: 300, output_token_count: 12, predict_time: 1 },
  },
  {
    owner: 'acme',
    name: 'abandoned',
    description: 'Has no version',
    is_official: false,
    versions: {},
    extension: null,
    output: 'one',
    metrics: {},
  },
];
