import { expect, it } from 'vitest';
import { rankReferences } from './media-roles.ts';
import type { FieldSpec } from './task.ts';

const field = (name: string, { required = false, list = false } = {}): FieldSpec => ({
  ...(list ? { kind: 'references', min_items: 0, max_items: 4 } : { kind: 'reference', nullable: true }),
  name,
  label: name,
  group: 'main',
  media: 'image',
  with_role: false,
  ...(required ? { required: true } : {}),
});

/** The reference that a model works on. */
function mainOf(fields: readonly FieldSpec[]): string | undefined {
  const input = Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = { url: `https://files.test/${name}` };
      return [name, kind === 'references' ? [value, value] : value];
    }),
  );
  return rankReferences({ fields, rules: [] }, input).toSorted((a, b) => a.rank - b.rank)[0]?.path;
}

it.each([
  [['image_url'], 'image_url'],
  [['mask_url', 'image_url'], 'image_url'],
  [['reference_image_url!', 'image_url'], 'image_url'],
  [['garment_image!', 'human_image!'], 'human_image'],
  [['ip_adapter_image_url', 'control_image_url', 'init_image'], 'init_image'],
  [['extra_image', 'image_urls[]!'], 'image_urls.0'],
  [['style_reference_url'], 'style_reference_url'],
  [['swap_image!', 'target_image!'], 'target_image'],
])('finds what a model with %j works on', (names, main) => {
  const fields = names.map((name) =>
    field(name.replaceAll(/[[\]!]/g, ''), { required: name.includes('!'), list: name.includes('[]') }),
  );
  expect(mainOf(fields)).toBe(main);
});
