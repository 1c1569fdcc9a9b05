import { describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import * as prefill from './prefill.ts';

const prefillFromGeneration = (source: Generation, to: Parameters<typeof prefill.prefillFromGeneration>[1]) =>
  prefill.prefillFromGeneration(source, to, undefined);
const generation = (fields: Pick<Generation, 'task' | 'model' | 'input'>) => fields as Generation;

describe('prefillFromGeneration', () => {
  const source = generation({
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '4K', background: null },
  });

  it('restores the input', () => {
    expect(prefillFromGeneration(source, null)).toMatchObject({
      task: 'image.create',
      model: 'imgmodel-a-2',
      values: { prompt: 'A lighthouse', resolution: '4K', reference_images: [] },
      changed: [],
    });
  });

  it('adapts the input to another model', () => {
    const prefilled = prefillFromGeneration(source, { task: 'image.create', model: 'imgmodel-d-5-pro' });
    expect(prefilled?.values).toMatchObject({ prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '2K' });
    expect(prefilled?.changed).toEqual([{ label: 'Size', from: '4K', to: '2K' }]);
  });

  it('returns null if the model does not support the task', () => {
    expect(prefillFromGeneration(source, { task: 'video.trim', model: 'omni-video' })).toBeNull();
  });
});

it('fills in the form of a preset, and lists the fields whose media are gone', () => {
  const preset = {
    name: 'Tea',
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'A teapot', aspect_ratio: '3:2', color: 'red' },
    missing_media: ['reference_images'],
  } satisfies Parameters<typeof prefill.prefillFromPreset>[0];
  const form = prefill.prefillFromPreset(preset, undefined);
  expect(form).toMatchObject({ task: 'image.create', model: 'imgmodel-a-2', title: 'Preset “Tea” applied' });
  expect(form?.values).toMatchObject({ prompt: 'A teapot', aspect_ratio: '3:2', resolution: '1K' });
  expect(form?.values).not.toHaveProperty('color');
  expect(form?.dropped).toEqual([{ label: 'Reference images', value: '(files no longer available)' }]);
  expect(prefill.prefillFromPreset({ ...preset, model: 'vidmodel-c-2' }, undefined)).toBeNull();
});
