import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { FieldSpec } from '#contract/task.ts';
import { findExpandWay } from './expand-targets.ts';

const picture = (name: string): FieldSpec => ({
  kind: 'reference',
  name,
  label: name,
  group: 'main',
  media: 'image',
  required: true,
  with_role: false,
});
const pixels = (name: string): FieldSpec => ({
  kind: 'integer',
  name,
  label: name,
  group: 'more',
  default: 0,
  min: 0,
  max: 700,
});

it.each([
  ['expand_left', 'expand_right', 'expand_top', 'expand_bottom'],
  ['outpaint_left', 'outpaint_right', 'outpaint_top', 'outpaint_bottom'],
  ['left', 'right', 'up', 'down'],
])('finds the pixels of each side in %s, %s, %s, %s', (left, right, top, bottom) => {
  const fields = [picture('style_image_url'), picture('image_url'), ...[left, right, top, bottom].map(pixels)];
  expect(findExpandWay({ fields, rules: [] })).toEqual({ picture: 'image_url', sides: { left, right, top, bottom } });
});

it('needs all four sides, in pixels', () => {
  const flags = ['left', 'right', 'top', 'bottom'].map((side): FieldSpec => ({
    kind: 'boolean',
    name: `expand_${side}`,
    label: side,
    group: 'more',
    default: false,
  }));
  expect(findExpandWay({ fields: [picture('image_url'), ...flags], rules: [] })).toBeNull();
  expect(findExpandWay({ fields: [picture('image_url'), pixels('left')], rules: [] })).toBeNull();
});

it('takes the mask of a model otherwise, with the picture that it belongs to', () => {
  const contract = inputContract('image.edit', 'imgmodel-a-2');
  expect(contract && findExpandWay(contract)).toEqual({ picture: 'images', mask: 'mask' });
});
