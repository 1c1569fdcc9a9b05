import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { InputContract } from '#contract/task.ts';
import { createFormState, type FormState } from './form-state.ts';
import { initialValues } from './form-values.ts';
import { loadValidator } from './validator.ts';

const contractOf = (...place: Parameters<typeof inputContract>): InputContract => {
  const contract = inputContract(...place);
  if (!contract) throw new Error('No such contract');
  return contract;
};
const image = contractOf('image.create', 'imgmodel-a-2');
let form: FormState;

beforeEach(async () => {
  await loadValidator();
  form = createFormState(image, initialValues(image), () => null);
});
const said = (name: string) => form.field(name).problems.map(({ message }) => message);

describe('problems', () => {
  it('are said once a field was left, not before', () => {
    expect(said('prompt')).toEqual([]);
    form.markTouched('prompt');
    expect(said('prompt')).toEqual(['Prompt is required.']);
  });

  it('go a moment after they are mended', () => {
    vi.useFakeTimers();
    form.markTouched('prompt');
    form.set('prompt', 'A lighthouse');
    vi.advanceTimersByTime(200);
    expect(said('prompt')).toEqual([]);
    vi.useRealTimers();
  });

  it('are all said at a judgement', async () => {
    const parsed = await form.validate();
    expect(parsed).toMatchObject({ ok: false });
    expect(said('prompt')).toEqual(['Prompt is required.']);
  });

  it('leave rules to their own notice, but still count', async () => {
    form.assign({ prompt: 'A lighthouse', resolution: '4K' });
    expect(await form.validate()).toMatchObject({ ok: false, details: [{ path: 'input.resolution' }] });
    expect(said('resolution')).toEqual([]);
  });
});

describe('what the service refuses', () => {
  it('is said at its field until that changes', () => {
    const message = 'This is not a picture.';
    expect(form.showServerProblems([{ path: 'input.reference_images.1.url', message }])).toEqual([]);
    expect(said('reference_images')).toEqual([message]);
    form.set('prompt', 'x');
    expect(said('reference_images')).toEqual([message]);
    form.set('reference_images', []);
    expect(said('reference_images')).toEqual([]);
  });

  it('comes back where no field is its own', () => {
    const lost = { path: 'metadata.x', message: 'Too long.' };
    expect(form.showServerProblems([lost, { path: 'input.gone', message: 'Unknown.' }])).toHaveLength(2);
  });
});

describe('rendering', () => {
  it('keeps the state of a field the same object while nothing in it changes', () => {
    const before = form.field('aspect_ratio');
    form.set('prompt', 'A');
    form.markTouched('prompt');
    expect(form.field('aspect_ratio')).toBe(before);
    form.set('aspect_ratio', '1:1');
    expect(form.field('aspect_ratio')).not.toBe(before);
  });

  it('does not speak of a change that is none', () => {
    const listener = vi.fn<() => void>();
    form.subscribe(listener);
    form.set('aspect_ratio', 'auto');
    expect(listener).not.toHaveBeenCalled();
  });
});
