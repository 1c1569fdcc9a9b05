import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { initialValues, type FormValues } from '#web/forms/values/form-values.ts';
import { switchInput, valuesFromInput } from './switch-input.ts';

const contractOf = (task: TaskId, model: AnyModelId | null) => {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`No ${task} on ${model}`);
  return contract;
};
type Place = [TaskId, AnyModelId | null];

function carry(from: Place, to: Place, changes: FormValues) {
  const source = contractOf(...from);
  return switchInput(source, contractOf(...to), { ...initialValues(source), ...changes });
}
const files = (count: number) => Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}` }));

describe('switching model', () => {
  it('keeps what fits and says nothing of what was not touched', () => {
    const { values, kept, changed, dropped } = carry(
      ['video.create', 'vidmodel-c-2'],
      ['video.create', 'vidmodel-c-2.5'],
      { prompt: 'A forest', duration_seconds: 12 },
    );
    expect(values).toMatchObject({ prompt: 'A forest', duration_seconds: 12, aspect_ratio: '9:16' });
    expect({ kept, changed, dropped }).toEqual({ kept: ['Prompt', 'Length'], changed: [], dropped: [] });
  });

  it('takes the nearest value where the same is not to be had', () => {
    const { values, changed } = carry(['video.create', 'vidmodel-c-2'], ['video.create', 'vidmodel-c-2-fast'], {
      resolution: '4K',
    });
    expect(values['resolution']).toBe('720p');
    expect(changed).toEqual([{ label: 'Size', from: '4K', to: '720p' }]);
  });

  it('turns a length into one of a few, and a size into a shape', () => {
    const omni = carry(['video.create', 'vidmodel-c-2.5'], ['video.create', 'omni-video'], { duration_seconds: 30 });
    expect(omni.values['duration_seconds']).toBe(8);
    expect(omni.changed).toContainEqual({ label: 'Length', from: '30 s', to: '8 s' });
    const shape = carry(['image.create', 'imgmodel-a-2.5-flare'], ['image.create', 'imgmodel-b-pro'], {
      size: '1536x1024',
    });
    expect(shape.values['aspect_ratio']).toBe('3:2');
  });

  it('shortens lists and says by how much', () => {
    const { values, changed } = carry(['image.create', 'imgmodel-a-2'], ['image.create', 'imgmodel-b-pro'], {
      reference_images: files(12),
    });
    expect(values['reference_images']).toHaveLength(8);
    expect(changed).toContainEqual({ label: 'Reference images', from: '12 images', to: '8 images' });
  });

  it('says what has no place any more, but not what was never set', () => {
    const { dropped } = carry(['video.create', 'omni-video'], ['video.create', 'vidmodel-c-2'], {
      seed: 42,
      reference_video: null,
    });
    expect(dropped).toEqual([{ label: 'Seed', value: '42' }]);
  });

  it('keeps the rules of the other model', () => {
    const { values, changed, kept } = carry(['image.create', 'imgmodel-b-2'], ['image.create', 'imgmodel-a-2'], {
      aspect_ratio: '5:4',
      resolution: '4K',
    });
    expect(values).toMatchObject({ aspect_ratio: '5:4', resolution: '1K' });
    expect(changed).toEqual([{ label: 'Size', from: '4K', to: '1K' }]);
    expect(kept).toEqual(['Shape']);
  });

  it('finds the field of the same kind in another task', () => {
    const { values } = carry(['image.create', 'imgmodel-a-2'], ['image.edit', 'imgmodel-a-2'], {
      prompt: 'At dusk',
      reference_images: files(2),
    });
    expect(values).toMatchObject({ prompt: 'At dusk', images: files(2) });
  });
});

describe('filling in from a stored input', () => {
  it('takes what it knows and leaves out what it does not', () => {
    const contract = contractOf('video.trim', null);
    const values = valuesFromInput(contract, { video: { url: 'https://example.com/a.mp4' }, end_seconds: 4, extra: 1 });
    expect(values).toEqual({ video: { url: 'https://example.com/a.mp4' }, start_seconds: 0, end_seconds: 4 });
  });

  it('takes the default where a value is none any more', () => {
    const contract = contractOf('image.create', 'imgmodel-b-2');
    expect(valuesFromInput(contract, { prompt: 'x', output_format: 'tiff' })).toMatchObject({ output_format: 'png' });
  });
});
