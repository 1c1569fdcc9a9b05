import { defineTask } from '../task.ts';

export const MAX_SIDE_PIXELS = 16_383;

const pixelsField = <const Name extends string, const More extends object>(
  name: Name,
  label: string,
  min: 0 | 1,
  more: More,
) => ({ kind: 'integer', name, label, group: 'main', min, max: MAX_SIDE_PIXELS, unit: 'px', ...more }) as const;

const edgeField = <const Name extends string>(name: Name, label: string) => pixelsField(name, label, 0, { default: 0 });

/** An addition. Steps run in the order of the fields. Decision: Transforming pictures */
export const imageTransform = defineTask({
  id: 'image.transform',
  name: 'Crop and resize an image',
  label: 'Crop',
  description: 'Crop, rotate, flip, resize an image, or extend its canvas. Pixels count from the upright image.',
  media_type: 'image',
  purpose: 'make_image',
  search_words: 'crop cut rotate turn flip mirror resize scale canvas expand pad picture photo',
  tool_name: 'transform_image',
  named_by: { field: 'image', edit: 'edited' },
  provenance: {
    parent: 'image',
    action: 'c2pa.transcoded',
    actionsByField: {
      crop: 'c2pa.cropped',
      rotate: 'c2pa.orientation',
      flip: 'c2pa.orientation',
      resize: 'c2pa.resized',
      expand: 'c2pa.edited',
    },
  },
  input: {
    fields: [
      {
        kind: 'reference',
        name: 'image',
        label: 'Image',
        help: 'Photos are turned upright first. GIF and WebP keep their animation.',
        group: 'main',
        media: 'image',
        required: true,
        with_role: false,
      },
      {
        kind: 'group',
        name: 'crop',
        label: 'Crop',
        help: 'The part to keep.',
        group: 'main',
        nullable: true,
        default: null,
        fields: [
          pixelsField('x', 'Left', 0, { required: true }),
          pixelsField('y', 'Top', 0, { required: true }),
          pixelsField('width', 'Width', 1, { required: true }),
          pixelsField('height', 'Height', 1, { required: true }),
        ],
      },
      {
        kind: 'choice',
        name: 'rotate',
        label: 'Rotate',
        help: 'Clockwise.',
        group: 'shape',
        default: 0,
        options: [0, 90, 180, 270],
        unit: '°',
      },
      {
        kind: 'choice',
        name: 'flip',
        label: 'Flip',
        group: 'shape',
        default: 'none',
        options: ['none', 'horizontal', 'vertical'],
        option_labels: { none: 'No', horizontal: 'Left to right', vertical: 'Upside down' },
      },
      {
        kind: 'group',
        name: 'resize',
        label: 'Resize',
        help: 'With one side, the other one follows.',
        group: 'shape',
        nullable: true,
        default: null,
        fields: [
          pixelsField('width', 'Width', 1, { nullable: true, default: null }),
          pixelsField('height', 'Height', 1, { nullable: true, default: null }),
          {
            kind: 'choice',
            name: 'fit',
            label: 'Fit',
            group: 'main',
            default: 'inside',
            options: ['inside', 'cover', 'fill'],
            option_labels: { inside: 'Keep the ratio', cover: 'Cut to the ratio', fill: 'Stretch' },
          },
        ],
      },
      {
        kind: 'group',
        name: 'expand',
        label: 'Extend the canvas',
        group: 'shape',
        nullable: true,
        default: null,
        fields: [
          edgeField('left', 'Left'),
          edgeField('top', 'Top'),
          edgeField('right', 'Right'),
          edgeField('bottom', 'Bottom'),
          {
            kind: 'choice',
            name: 'fill',
            label: 'Fill',
            help: 'Or a color such as #ff8800. Mask makes a PNG of the same size, white where the canvas is new and black elsewhere.',
            group: 'main',
            default: 'blurred',
            options: ['blurred', 'transparent', 'white', 'black', 'mask'],
            own_max_length: 7,
            option_labels: {
              blurred: 'Blurred edge',
              transparent: 'Transparent',
              white: 'White',
              black: 'Black',
              mask: 'Mask of the new area',
            },
          },
        ],
      },
    ],
    rules: [],
  },
  output: { min_assets: 1, max_assets: 1, data: 'dimensions' },
});
