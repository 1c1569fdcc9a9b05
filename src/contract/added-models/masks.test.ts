import { describe, expect, it } from 'vitest';
import { extractReferences } from '../task-input.ts';
import type { MaskSpec } from '../task.ts';
import { normalizeComfyWorkflow } from './comfyui-schema.ts';
import { diffModels } from './diff-models.ts';
import type { MediaOverride } from './fields/field-reading.ts';
import { normalizeFal, normalizeReplicate } from './provider-schemas.ts';
import { falDocument } from './testing/fal-document.ts';
import { RUN_PRICE } from './testing/run-price.ts';

const text = (description = '') => ({ type: 'string', description });
const uri = (description = '') => ({ type: 'string', format: 'uri', description });
const list = (description = '') => ({ type: 'array', items: { type: 'string' }, description });
const group = (properties: object) => ({ type: 'object', properties });
const rows = (properties: object) => ({ type: 'array', items: group(properties) });

type Properties = Readonly<Record<string, unknown>>;
const replicateDocument = (properties: Properties) => ({
  components: { schemas: { Input: { type: 'object', properties }, Output: { type: 'string', format: 'uri' } } },
});

/** The masks of a form, by dotted name. */
async function masksOf(properties: Properties, overrides: Readonly<Record<string, MediaOverride>> = {}) {
  const isReplicate = Object.values(properties).some((schema) => JSON.stringify(schema).includes('"uri"'));
  const { contract } = await (isReplicate
    ? normalizeReplicate(replicateDocument(properties), { overrides })
    : normalizeFal(falDocument(properties), { overrides }));
  const all = contract.fields.flatMap((field) => [
    { name: field.name, field },
    ...('fields' in field ? field.fields.map((each) => ({ name: `${field.name}.${each.name}`, field: each })) : []),
  ]);
  return Object.fromEntries(
    all.flatMap(({ name, field }) => (field.kind === 'reference' && field.mask ? [[name, field.mask]] : [])),
  );
}

const KLING_MASK =
  'URL of the image for Static Brush Application Area (Mask image created by users using the motion brush)';
const SDXL_MASK = 'Input mask for inpaint mode. Black areas will be preserved, white areas will be inpainted.';
const VACE_MASK =
  'URL to the guiding mask file. If provided, the model will use this mask as a reference to create masked video.';

/** Every schema with a mask among those that were collected from fal and Replicate. */
const PUBLISHED: readonly (readonly [model: string, Properties, Readonly<Record<string, MaskSpec>>])[] = [
  [
    'bria/fibo-edit/edit',
    {
      image_url: text('Reference image (file or URL).'),
      mask_url: { anyOf: [text(), { type: 'null' }], description: 'Mask image (file or URL). Optional' },
    },
    { mask_url: { of: 'image_url', polarity: 'white' } },
  ],
  [
    'gpt-image-1.5/edit',
    {
      mask_image_url: text(
        'The URL of the mask image to use for the generation. This indicates what part of the image to edit.',
      ),
      image_urls: list('The URLs of the images to use as a reference for the generation.'),
    },
    { mask_image_url: { of: 'image_urls.0', polarity: 'white' } },
  ],
  [
    'fooocus of fal',
    {
      mask_image_url: text('The image to use as a mask for the generated image.'),
      inpaint_image_url: text('The image to use as a reference for inpainting.'),
      control_image_url: text('The image to use as a reference for the generated image.'),
      mixing_image_prompt_and_inpaint: { type: 'boolean' },
    },
    { mask_image_url: { of: 'inpaint_image_url', polarity: 'white' } },
  ],
  [
    'flux-general',
    {
      fill_image: group({ fill_image_url: list() }),
      controlnets: rows({
        control_image_url: text('URL of the image to be used as the control image.'),
        mask_image_url: text('URL of the mask for the control image.'),
        mask_threshold: { type: 'number', description: 'Threshold for mask.' },
      }),
      ip_adapters: rows({ mask_image_url: text('URL of the mask for the control image.'), image_url: text() }),
      reference_image_url: text(),
    },
    {
      'controlnets.mask_image_url': { of: 'control_image_url', polarity: 'white' },
      'ip_adapters.mask_image_url': { of: 'image_url', polarity: 'white' },
    },
  ],
  [
    'stable-diffusion-v35-large',
    { ip_adapter: group({ image_url: text(), mask_image_url: text('URL of the mask for the control image.') }) },
    { 'ip_adapter.mask_image_url': { of: 'image_url', polarity: 'white' } },
  ],
  [
    'lora',
    {
      controlnets: rows({
        image_url: text(),
        mask_url: text('The mask to use for the controlnet. The image size and the mask size must be the same.'),
        ip_adapter_mask_url: text('The mask to use for the IP adapter.'),
        ip_adapter_image_url: text('The image to use for the IP adapter.'),
      }),
    },
    {
      'controlnets.mask_url': { of: 'image_url', polarity: 'white' },
      'controlnets.ip_adapter_mask_url': { of: 'ip_adapter_image_url', polarity: 'white' },
    },
  ],
  [
    'kling-video/v1/standard/image-to-video',
    { static_mask_url: text(KLING_MASK), tail_image_url: text(), image_url: text() },
    { static_mask_url: { of: 'image_url', polarity: 'black' } },
  ],
  ['birefnet/v2', { image_url: text(), output_mask: { type: 'boolean', description: 'Output the mask' } }, {}],
  [
    'wan-vace-14b',
    { video_url: text(), mask_video_url: text(), mask_image_url: text(VACE_MASK), first_frame_url: text() },
    {},
  ],
  [
    'wan-vace-14b/inpainting',
    { video_url: text(), mask_video_url: text(), mask_image_url: text(VACE_MASK), ref_image_urls: list() },
    {},
  ],
  ['flux-lora-fast-training', { images_data_url: text(), create_masks: { type: 'boolean' } }, {}],
  [
    'ideogram-ai/ideogram-v2',
    {
      mask: uri(
        'A black and white image. Black pixels are inpainted, white pixels are preserved. The mask will be resized to match the image size.',
      ),
      image: uri(),
    },
    { mask: { of: 'image', polarity: 'black' } },
  ],
  ['stability-ai/sdxl', { mask: uri(SDXL_MASK), image: uri() }, { mask: { of: 'image', polarity: 'white' } }],
  [
    'ostris/flux-dev-lora-trainer',
    {
      mask: uri(
        "Input mask for inpainting mode. Black areas will be preserved, white areas will be inpainted. Must be provided along with 'image' for inpainting mode.",
      ),
      image: uri(),
    },
    { mask: { of: 'image', polarity: 'white' } },
  ],
  [
    'philz1337x/clarity-upscaler',
    { mask: uri('Mask image to mark areas that should be preserved during upscaling'), image: uri('input image') },
    { mask: { of: 'image', polarity: 'black' } },
  ],
  [
    'vetkastar/fooocus',
    {
      cn_img1: uri('Input image for image prompt.'),
      uov_input_image: uri('Input image for upscale or variation'),
      inpaint_input_mask: uri('Input mask for inpaint'),
      inpaint_input_image: uri('Input image for inpaint or outpaint'),
      invert_mask_checkbox: { type: 'boolean' },
    },
    { inpaint_input_mask: { of: 'inpaint_input_image', polarity: 'white' } },
  ],
  [
    'riffusion',
    { seed_image_id: { enum: ['agile', 'vibes'], description: 'Seed spectrogram to use, or the mask of it.' } },
    {},
  ],
  ['meta/sam-2-video', { mask_type: { enum: ['binary', 'greenscreen'] }, input_video: uri() }, {}],
];

describe('a mask of a schema', () => {
  it.each(PUBLISHED)('of %s is tied to its picture', async (_model, properties, masks) => {
    expect(await masksOf(properties)).toEqual(masks);
  });

  it.each<[description: string, polarity: MaskSpec['polarity']]>([
    ['', 'white'],
    ['White is inpainted.', 'white'],
    ['A binary mask where white marks the area to fill and black the area to keep.', 'white'],
    ['Areas to be edited are white (255), everything else black.', 'white'],
    ['Black pixels will not be changed.', 'white'],
    ['The area to inpaint should be black, and the area to keep should be white.', 'black'],
    ['White pixels are kept, black pixels are regenerated', 'black'],
    ['Marks the parts of the image to protect.', 'black'],
    ['Fully transparent areas (where alpha is zero) indicate where the image should be edited.', 'transparent'],
    ['An additional image whose transparent areas will be replaced.', 'transparent'],
  ])('“%s” is %s', async (description, polarity) => {
    expect(await masksOf({ image_url: text(), mask_url: text(description) })).toEqual({
      mask_url: { of: 'image_url', polarity },
    });
  });

  it('is found by other names, and by its description alone', async () => {
    for (const name of ['mask', 'mask_url', 'mask_image', 'inpaint_mask', 'image_mask', 'maskImage', 'mask_input'])
      expect(Object.keys(await masksOf({ image: uri(), [name]: uri() })), name).toEqual([name]);
    expect(await masksOf({ image_url: text('Image'), area_url: text('URL of the mask') })).toEqual({
      area_url: { of: 'image_url', polarity: 'white' },
    });
    for (const name of ['masked_image', 'mask_background', 'mask_video', 'mask_color'])
      expect(await masksOf({ image: uri(), [name]: uri() }), name).toEqual({});
    expect(await masksOf({ image: uri(), mask_prompt: { type: 'string' }, masks: { type: 'boolean' } })).toEqual({});
  });

  it('in rows without a picture belongs to that of the input', async () => {
    const properties = { image_url: text(), brushes: rows({ mask_url: text(), strength: { type: 'number' } }) };
    expect(await masksOf(properties)).toEqual({ 'brushes.mask_url': { of: 'image_url', polarity: 'white' } });
    const { contract } = await normalizeFal(falDocument(properties));
    const [picture, mask] = ['https://a.test/a.png', 'https://a.test/b.png'].map((url) => ({ url }));
    const references = extractReferences(contract, { image_url: picture, brushes: [{ mask_url: mask }] });
    expect(references.map(({ path, mask: tied }) => [path, tied?.of])).toEqual([
      ['image_url', undefined],
      ['brushes.0.mask_url', 'image_url'],
    ]);
  });

  it('of a ComfyUI workflow is what a loader of masks loads', async () => {
    const node = (class_type: string, image: string, title?: string) => ({
      class_type,
      inputs: { image },
      ...(title === undefined ? {} : { _meta: { title } }),
    });
    const fieldsOf = async (mask: object) => {
      const workflow = { 1: node('LoadImage', 'a.png'), 2: mask };
      const chosen = [
        { node: '1', input: 'image' },
        { node: '2', input: 'image', name: 'area' },
      ];
      return (await normalizeComfyWorkflow(workflow, null, chosen)).contract.fields;
    };
    for (const mask of [node('LoadImageMask', 'b.png'), node('LoadImage', 'b.png', 'Inpaint mask')])
      expect(await fieldsOf(mask)).toMatchObject([{}, { mask: { of: 'image_1', polarity: 'transparent' } }]);
    expect((await fieldsOf(node('LoadImage', 'b.png')))[1]).not.toHaveProperty('mask');
  });

  it('is corrected by hand, inside of groups too', async () => {
    const properties = { image_url: text(), mask_url: text(), control: group({ image_url: text(), area: text() }) };
    expect(await masksOf(properties, { mask_url: 'image', 'control.area': 'transparent_mask' })).toEqual({
      'control.area': { of: 'image_url', polarity: 'transparent' },
    });
    expect(await masksOf(properties, { mask_url: 'inverted_mask' })).toEqual({
      mask_url: { of: 'image_url', polarity: 'black' },
    });
  });

  it('that is read the other way round does not fit the older form', async () => {
    const read = async (description: string) =>
      normalizeFal(falDocument({ image_url: text(), mask_url: text(description) }));
    const before = { normalized: await read('White is inpainted.'), price: RUN_PRICE };
    expect(diffModels(before, { normalized: await read('Black is inpainted.') })).toMatchObject([
      { kind: 'media', field: 'mask_url', message: '“Mask” changes what is black instead of white.', breaks: true },
    ]);
  });
});
