import { falDocument } from '#contract/added-models/testing/fal-document.ts';

const FILE = { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] };
const nullable = (description: string) => ({ anyOf: [{ type: 'string' }, { type: 'null' }], description });

type Files = readonly { url: string }[];

/** Models of fal that take masks, with their inputs as published, as far as masks need them. */
export const FAKE_FAL_MASK_MODELS = {
  'bria/fibo-edit/edit': {
    name: 'Fibo Edit',
    category: 'image-to-image',
    description: 'Edits an image where its mask is white.',
    document: falDocument(
      {
        image_url: nullable('Reference image (file or URL).'),
        mask_url: nullable('Mask image (file or URL). Optional'),
        instruction: nullable('Instruction for image editing.'),
        steps_num: { type: 'integer', minimum: 20, maximum: 50, title: 'Steps Num', default: 50 },
      },
      { output: { image: FILE } },
    ),
    price: { unit_price: 0.04, unit: 'images' },
    mask: { mask: 'mask_url', picture: 'image_url', polarity: 'white' },
    unitsOf: () => 1,
    result: ([picture]: Files) => ({ image: picture }),
  },
  'fal-ai/kling-video/v1/standard/image-to-video': {
    name: 'Kling 1.0',
    category: 'image-to-video',
    description: 'Moves a picture, but for what its static brush covers.',
    document: falDocument(
      {
        prompt: { type: 'string', maxLength: 2500 },
        image_url: { type: 'string', description: 'URL of the image to be used for the video' },
        static_mask_url: {
          type: 'string',
          description:
            'URL of the image for Static Brush Application Area (Mask image created by users using the motion brush)',
        },
        dynamic_masks: {
          type: 'array',
          description: 'List of dynamic masks',
          items: {
            type: 'object',
            properties: {
              mask_url: {
                type: 'string',
                description:
                  'URL of the image for Dynamic Brush Application Area (Mask image created by users using the motion brush)',
              },
            },
            required: ['mask_url'],
          },
        },
      },
      { required: ['prompt', 'image_url'], output: { video: FILE } },
    ),
    price: { unit_price: 0.05, unit: 'seconds' },
    mask: { mask: 'static_mask_url', picture: 'image_url', polarity: 'black' },
    unitsOf: () => 5,
    result: ([video]: Files) => ({ video }),
  },
} as const;
