import { defineTask, type ChoiceFieldSpec, type InputContract } from '../task.ts';
import {
  aspectRatioField,
  allowedValuesRule,
  outputFormatField,
  promptField,
  referenceImagesField,
  resolutionField,
} from './fields.ts';

const PLACEHOLDER = 'A lighthouse on a basalt cliff at dusk, long exposure, warm light in the lantern room';

type Split<List extends string> = List extends `${infer Head} ${infer Rest}` ? Head | Split<Rest> : List;
const splitRatios = <const List extends string>(list: List) => list.split(' ') as Split<List>[];

const backgroundField = {
  kind: 'choice',
  name: 'background',
  label: 'Background',
  group: 'shape',
  default: null,
  nullable: true,
  options: ['transparent', 'opaque', 'auto'],
  option_labels: { '': 'Auto', transparent: 'Transparent', opaque: 'Opaque', auto: 'Auto at size 1K' },
} as const satisfies ChoiceFieldSpec;

const imgmodelA2 = {
  fields: [
    promptField(1, 32_000, PLACEHOLDER),
    aspectRatioField('auto', splitRatios('auto 1:1 3:2 2:3 4:3 3:4 16:9 9:16 2:1 1:2 3:1 1:3 21:9 9:21 5:4 4:5')),
    resolutionField('1K', ['1K', '2K', '4K']),
    backgroundField,
    referenceImagesField(16),
  ],
  rules: [
    allowedValuesRule(
      'aspect_ratio',
      ['auto', '5:4', '4:5', '3:1', '1:3', '9:21'],
      'resolution',
      ['1K'],
      'The shapes auto, 5:4, 4:5, 3:1, 1:3 and 9:21 need size 1K.',
    ),
    allowedValuesRule('aspect_ratio', ['1:1'], 'resolution', ['1K', '2K'], 'Shape 1:1 needs size 1K or 2K.'),
    allowedValuesRule(
      'background',
      ['transparent', 'opaque', 'auto'],
      'resolution',
      ['1K'],
      'Choosing a background needs size 1K.',
    ),
  ],
} as const satisfies InputContract;

const imgmodelA25 = {
  fields: [
    promptField(1, 32_000, PLACEHOLDER),
    {
      kind: 'choice',
      name: 'quality',
      label: 'Quality',
      help: 'Auto lets the model choose; the highest quality is reserved for it.',
      group: 'shape',
      default: 'low',
      options: ['low', 'medium', 'high', 'xhigh', 'max', 'auto'],
      option_labels: { low: 'Low', medium: 'Medium', high: 'High', xhigh: 'Extra high', max: 'Max', auto: 'Auto' },
    },
    {
      kind: 'choice',
      name: 'size',
      label: 'Shape',
      help: 'Sizes above 2560 × 1440 are experimental.',
      group: 'shape',
      control: 'ratio',
      default: '1024x1024',
      options: ['1024x1024', '1536x1024', '1024x1536', '2048x2048', '3840x2160', '2160x3840', 'auto'],
      option_labels: {
        '1024x1024': '1024 × 1024',
        '1536x1024': '1536 × 1024',
        '1024x1536': '1024 × 1536',
        '2048x2048': '2048 × 2048',
        '3840x2160': '3840 × 2160',
        '2160x3840': '2160 × 3840',
        auto: 'Auto',
      },
    },
    referenceImagesField(16),
  ],
  rules: [],
} as const satisfies InputContract;

const imgmodelB2Ratios = splitRatios('auto 1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9 1:4 4:1 1:8 8:1');

const imgmodelB2 = {
  fields: [
    promptField(1, 20_000, PLACEHOLDER),
    aspectRatioField('auto', imgmodelB2Ratios),
    resolutionField('1K', ['1K', '2K', '4K']),
    outputFormatField,
    referenceImagesField(14),
  ],
  rules: [],
} as const satisfies InputContract;

const imgmodelB2Lite = {
  fields: [
    promptField(1, 20_000, PLACEHOLDER),
    aspectRatioField('auto', imgmodelB2Ratios),
    resolutionField('1K', ['1K']),
    referenceImagesField(10),
  ],
  rules: [],
} as const satisfies InputContract;

const imgmodelBPro = {
  fields: [
    promptField(1, 10_000, PLACEHOLDER),
    aspectRatioField('auto', splitRatios('auto 1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9')),
    resolutionField('1K', ['1K', '2K', '4K']),
    outputFormatField,
    referenceImagesField(8),
  ],
  rules: [],
} as const satisfies InputContract;

const imgmodelD5Pro = {
  fields: [
    promptField(3, 5_000, PLACEHOLDER),
    aspectRatioField('1:1', splitRatios('1:1 4:3 3:4 16:9 9:16 2:3 3:2 21:9')),
    resolutionField('1K', ['1K', '2K']),
    outputFormatField,
    referenceImagesField(10),
  ],
  rules: [],
} as const satisfies InputContract;

export const imageModels = {
  'imgmodel-a-2': imgmodelA2,
  'imgmodel-a-2.5-flare': imgmodelA25,
  'imgmodel-a-2.5-sunburst': imgmodelA25,
  'imgmodel-b-2': imgmodelB2,
  'imgmodel-b-2-lite': imgmodelB2Lite,
  'imgmodel-b-pro': imgmodelBPro,
  'imgmodel-d-5-pro': imgmodelD5Pro,
} as const;

/** Spec: Task contracts: image.create */
export const imageCreate = defineTask({
  id: 'image.create',
  name: 'Create an image',
  label: 'New',
  description: 'An image from a text description, with or without reference images.',
  media_type: 'image',
  purpose: 'make_image',
  search_words: 'new picture photo text to image draw generate',
  tool_name: 'create_image',
  models: imageModels,
  output: { min_assets: 1, max_assets: null, data: 'any' },
});
