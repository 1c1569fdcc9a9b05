import { describe, expect, it } from 'vitest';
import type { FieldSpec, InputContract, NestedFieldSpec } from '#contract/task.ts';
import { droppedMasks, tiedMediaUrl } from './stale-values.ts';
import { createInputForm } from './values/input-form.ts';
import { type FormValues, initialValues } from './values/form-values.ts';

const base = { group: 'main', kind: 'reference', media: 'image', nullable: true, with_role: false } as const;
const image = { ...base, name: 'image', label: 'Image' } as const;
const mask = { ...base, name: 'mask', label: 'Mask', mask: { of: 'image', polarity: 'white' } } as const;
const brush = { ...base, name: 'brush', label: 'Brush', mask: { of: 'picture', polarity: 'white' } } as const;
const rows = (name: string, ...fields: NestedFieldSpec[]): FieldSpec => ({
  name,
  label: name,
  group: 'main',
  kind: 'rows',
  fields,
  min_items: 0,
  max_items: 4,
});
const contract: InputContract = {
  fields: [
    { ...image, name: 'picture' },
    { name: 'control', label: 'Control', group: 'main', kind: 'group', fields: [image, mask], nullable: true },
    rows('layers', image, mask),
    rows('brushes', brush),
  ],
  rules: [],
};

const file = (name: string) => ({ url: `https://example.com/${name}.png` });
const layer = (picture: string, masked: string | null) => ({
  image: file(picture),
  mask: masked === null ? null : file(masked),
});

/** Changes one value of a filled form. */
function change(name: string, value: unknown) {
  const form = createInputForm(contract, initialValues(contract), () => null);
  form.setValues({
    picture: file('p'),
    control: layer('c', 'c-mask'),
    layers: [layer('a', 'a-mask'), layer('b', 'b-mask')],
    brushes: [{ brush: file('one') }, { brush: file('two') }],
  });
  const before = form.values();
  form.setValue(name, value);
  return { form, before, dropped: droppedMasks(contract, before, form.values()) };
}

describe('a mask', () => {
  it.each<[what: string, name: string, value: unknown, after: FormValues, count: number]>([
    ['of a group', 'control/image', file('x'), { control: layer('x', null) }, 1],
    ['of a row', 'layers/1/image', file('x'), { layers: [layer('a', 'a-mask'), layer('x', null)] }, 1],
    [
      'of a removed picture',
      'layers/0/image',
      null,
      { layers: [{ image: null, mask: null }, layer('b', 'b-mask')] },
      1,
    ],
    ['in rows, of the input', 'picture', file('x'), { brushes: [{ brush: null }, { brush: null }] }, 2],
  ])('%s goes with its picture, and both come back', (_what, name, value, after, count) => {
    const { form, before, dropped } = change(name, value);
    expect(form.values()).toMatchObject(after);
    expect(dropped?.count).toBe(count);
    form.setValues(dropped?.undo(form.values()) ?? {});
    expect(form.values()).toEqual(before);
  });

  it.each<[what: string, name: string, value: unknown]>([
    ['of another row stays when a row is removed', 'layers', [layer('b', 'b-mask')]],
    ['that is replaced with its picture stays', 'layers/0', layer('x', 'x-mask')],
    ['of a removed group goes without a notice', 'control', null],
    ['stays when a row is added', 'layers', [layer('a', 'a-mask'), layer('b', 'b-mask'), layer('c', null)]],
  ])('%s', (_what, name, value) => {
    const { form, dropped } = change(name, value);
    expect(form.values()[name.split('/')[0] ?? '']).toEqual(
      name === 'layers/0' ? [layer('x', 'x-mask'), layer('b', 'b-mask')] : value,
    );
    expect(dropped).toBeNull();
  });

  it('undoes without what was typed since', () => {
    const { form, dropped } = change('layers/0/image', file('x'));
    form.setValue('layers/1/mask', file('new'));
    form.setValues(dropped?.undo(form.values()) ?? {});
    expect(form.values()['layers']).toEqual([layer('a', 'a-mask'), layer('b', 'new')]);
  });

  it('is painted over the picture of its own row, or of the input', () => {
    const { form } = change('control', null);
    const pictures = ['layers/1/mask', 'brushes/1/brush', 'control/mask'].map((name) =>
      tiedMediaUrl(contract, form.values(), name),
    );
    expect(pictures).toEqual([file('b').url, file('p').url, undefined]);
  });
});
