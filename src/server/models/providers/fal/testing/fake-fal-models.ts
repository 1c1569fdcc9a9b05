import { falDocument } from '#contract/added-models/testing/fal-document.ts';
import { FAKE_FAL_MASK_MODELS } from './fake-fal-mask-models.ts';
import type { FakeMask } from '#server/models/engine/testing/mask-fault.ts';

/** A file of a result, as fal describes it. */
interface FakeFalFile {
  url: string;
  content_type: string;
}

export interface FakeFalModel {
  name: string;
  category: string;
  description: string;
  status?: 'deprecated';
  /** OpenAPI, as fal returns it. */
  document: unknown;
  /** null: fal publishes none. */
  price: { unit_price: number; unit: string } | null;
  /** Markdown of the section on prices; undefined: no such page. */
  price_text?: string;
  /** The mask that it takes, which is verified when the result is read. */
  mask?: FakeMask;
  /** Units that a request costs. */
  unitsOf(input: Readonly<Record<string, unknown>>): number;
  result(files: readonly FakeFalFile[]): Record<string, unknown>;
}

/** By endpoint. */
export type FakeFalModels = Readonly<Record<string, FakeFalModel>>;

const FILE = { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] };
const FILES = { type: 'array', items: FILE };
const SEED = { anyOf: [{ type: 'integer' }, { type: 'null' }], title: 'Seed' };
const SCALE = { type: 'number', minimum: 0, maximum: 4, default: 1 };
const IMAGE_SIZE = {
  anyOf: [{ $ref: '#/components/schemas/Canvas' }, { enum: ['square_hd', 'portrait_4_3'], type: 'string' }],
  default: 'square_hd',
};
const side = { type: 'integer', minimum: 64, exclusiveMaximum: 4096 };
const SCHEMAS = {
  Canvas: { type: 'object', properties: { width: side, height: side }, required: ['width', 'height'] },
  Adapter: { type: 'object', properties: { path: { type: 'string' }, scale: SCALE }, required: ['path'] },
};
const numberOf = (value: unknown): number => Number.parseFloat(String(value));
const image = ([file]: readonly FakeFalFile[]) => ({ image: file, width: 1024, height: 1024 });

/** Made-up models with the shapes of fal's schemas, by endpoint. */
export const FAKE_FAL_MODELS: FakeFalModels = {
  'acme/speech': {
    name: 'Acme Speech',
    category: 'text-to-speech',
    description: 'Reads a text aloud.',
    document: falDocument(
      {
        text: { type: 'string', minLength: 1, maxLength: 5_000 },
        voice: { enum: ['ann', 'ben'], type: 'string', default: 'ann' },
        speed: { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
      },
      { required: ['text'], output: { audio: FILE } },
    ),
    price: { unit_price: 0.05, unit: '1000 characters' },
    unitsOf: ({ text }) => String(text).length / 1_000,
    result: ([audio]) => ({ audio }),
  },
  'acme/upscale': {
    name: 'Acme Upscale',
    category: 'image-to-image',
    description: 'Enlarges an image.',
    document: falDocument(
      { image_url: { type: 'string' }, factor: { enum: [2, 4], type: 'integer', default: 2 } },
      { required: ['image_url'], output: { image: FILE, width: { type: 'integer' } } },
    ),
    price: { unit_price: 0.03, unit: 'megapixels' },
    unitsOf: ({ factor }) => numberOf(factor ?? 2) ** 2,
    result: image,
  },
  'fal-ai/clarity-upscaler': {
    name: 'Clarity Upscaler',
    category: 'image-to-image',
    description: 'Enlarges an image.',
    document: falDocument(
      { image_url: { type: 'string' }, upscale_factor: { type: 'number', minimum: 1, maximum: 4, default: 2 } },
      { required: ['image_url'], output: { image: FILE } },
    ),
    price: { unit_price: 0.03, unit: 'megapixels' },
    unitsOf: () => 4,
    result: image,
  },
  'fal-ai/birefnet/v2': {
    name: 'Birefnet Background Removal',
    category: 'image-to-image',
    description: 'Cuts out what is in front.',
    document: falDocument(
      { image_url: { type: 'string' }, refine_foreground: { type: 'boolean', default: true } },
      { required: ['image_url'], output: { image: FILE } },
    ),
    price: { unit_price: 0.0008, unit: 'compute seconds' },
    unitsOf: () => 2,
    result: image,
  },
  'acme/motion/text-to-video': {
    name: 'Acme Motion',
    category: 'text-to-video',
    description: 'Short clips with sound.',
    document: falDocument(
      {
        prompt: { type: 'string' },
        duration: { enum: ['5', '10'], type: 'string', default: '5' },
        resolution: { enum: ['720p', '1080p'], type: 'string', default: '720p' },
        audio: { type: 'boolean', default: false },
        seed: SEED,
      },
      { required: ['prompt'], output: { video: FILE, seed: { type: 'integer' } } },
    ),
    price: { unit_price: 0.1, unit: 'seconds' },
    price_text: 'Each second costs **$0.10** at 720p. 1080p costs twice as much, audio adds 50 %.',
    // As fal does it: the unit price is fixed, so that tiers are in the units.
    unitsOf: ({ duration, resolution, audio }) =>
      numberOf(duration ?? 5) * (resolution === '1080p' ? 2 : 1) * (audio === true ? 1.5 : 1),
    result: ([video]) => ({ video, seed: 7 }),
  },
  'acme/paint/lora': {
    name: 'Acme Paint with LoRA',
    category: 'text-to-image',
    description: 'Images in a style of your own.',
    document: falDocument(
      {
        prompt: { type: 'string' },
        image_size: IMAGE_SIZE,
        loras: { type: 'array', items: { $ref: '#/components/schemas/Adapter' }, maxItems: 3, default: [] },
        num_images: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
        seed: SEED,
      },
      {
        required: ['prompt'],
        schemas: SCHEMAS,
        output: { images: FILES, seed: { type: 'integer' }, has_nsfw_concepts: { type: 'array' } },
      },
    ),
    price: { unit_price: 0.02, unit: 'images' },
    unitsOf: ({ num_images }) => numberOf(num_images ?? 1),
    result: (images) => ({ images, seed: 7 }),
  },
  'acme/inpaint': {
    name: 'Acme Inpaint',
    category: 'image-to-image',
    description: 'Replaces what the mask covers.',
    document: falDocument(
      { prompt: { type: 'string' }, image_url: { type: 'string' }, mask_url: { type: 'string' } },
      { required: ['prompt', 'image_url', 'mask_url'], output: { image: FILE } },
    ),
    price: { unit_price: 1.5, unit: 'units' },
    unitsOf: () => 2,
    result: image,
  },
  ...FAKE_FAL_MASK_MODELS,
  'acme/mesh': {
    name: 'Acme Mesh',
    category: 'image-to-3d',
    description: 'A 3D model of what the images show.',
    document: falDocument(
      { image_urls: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 4 } },
      { required: ['image_urls'], output: { model_mesh: FILE, preview: FILE } },
    ),
    price: { unit_price: 0.4, unit: 'generations' },
    unitsOf: () => 1,
    result: ([preview]) => ({
      model_mesh: { url: preview?.url.replace(/\d+$/, 'mesh.glb'), content_type: 'application/octet-stream' },
      preview,
    }),
  },
  'acme/transcribe': {
    name: 'Acme Transcribe',
    category: 'speech-to-text',
    description: 'Writes down what is said.',
    status: 'deprecated',
    document: falDocument(
      { audio_url: { type: 'string' } },
      { required: ['audio_url'], output: { text: { type: 'string' } } },
    ),
    price: null,
    unitsOf: () => 1,
    result: () => ({ text: 'Once upon a time' }),
  },
  'acme/studio': {
    name: 'Acme Studio',
    category: 'image-to-video',
    description: 'Has a field of every kind.',
    document: falDocument(
      {
        prompt: { type: 'string', minLength: 2 },
        style: { enum: ['warm', 'cold'], type: 'string' },
        steps: { enum: [4, 8], type: 'integer', default: 4 },
        strength: { type: 'number', exclusiveMinimum: 0, maximum: 1, default: 0.5 },
        frames: { type: 'integer', minimum: 17, maximum: 161, default: 81 },
        loop: { type: 'boolean', default: false },
        bpm: { anyOf: [{ type: 'integer', minimum: 40 }, { const: 'auto' }], default: 'auto' },
        fps: { anyOf: [{ type: 'integer', minimum: 4 }, { type: 'null' }], default: 16 },
        version: { const: '3', type: 'string', default: '3' },
        image_size: IMAGE_SIZE,
        image_url: { type: 'string' },
        reference_image_urls: { type: 'array', items: { type: 'string' }, maxItems: 4 },
        camera: {
          type: 'object',
          properties: { zoom: { type: 'number' }, shake: { type: 'boolean', default: false } },
        },
        elements: {
          type: 'array',
          items: {
            type: 'object',
            properties: { image_url: { type: 'string' }, scale: SCALE },
            required: ['image_url'],
          },
        },
        loras: { type: 'array', items: { $ref: '#/components/schemas/Adapter' }, maxItems: 3 },
        tags: { type: 'array', items: { type: 'string' } },
        weights: { type: 'array', items: { type: 'number' } },
        effects: { type: 'array', items: { enum: ['grain', 'glow'], type: 'string' } },
        masks: {
          type: 'array',
          items: {
            type: 'object',
            properties: { points: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } } } } },
          },
        },
      },
      { required: ['prompt', 'style', 'image_url'], schemas: SCHEMAS, output: { video: FILE } },
    ),
    price: { unit_price: 0.002, unit: '5 seconds' },
    unitsOf: () => 3,
    result: ([video]) => ({ video }),
  },
};
