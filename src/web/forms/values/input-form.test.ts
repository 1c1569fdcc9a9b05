import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { InputContract, TextFieldSpec } from '#contract/task.ts';
import { itemError, listError } from './field-errors.ts';
import { createInputForm, type InputForm } from './input-form.ts';
import { initialValues } from './form-values.ts';
import { loadValidator } from './validator.ts';

const contractOf = (...target: Parameters<typeof inputContract>): InputContract => {
  const contract = inputContract(...target);
  if (!contract) throw new Error('No such contract');
  return contract;
};
const image = contractOf('image.create', 'imgmodel-a-2');
const onValid = vi.fn<(input: Record<string, unknown>) => void>();
const onInvalid = vi.fn<(names: ReadonlySet<string>) => void>();
let form: InputForm;

beforeEach(async () => {
  await loadValidator();
  vi.resetAllMocks();
  form = createInputForm(image, initialValues(image), () => null);
});
const messageOf = (name: string) => form.error(name)?.message;

describe('times of a video', () => {
  it('go with the video that they were set for', () => {
    const trim = contractOf('video.trim', null);
    const tool = createInputForm(trim, initialValues(trim), () => null);
    tool.setValue('start_seconds', 1);
    tool.setValue('video', { url: 'https://example.com/a.mp4' });
    tool.setValue('end_seconds', 4);
    expect(tool.values()).toMatchObject({ start_seconds: 1, end_seconds: 4 });
    tool.setValue('video', { url: 'https://example.com/b.mp4' });
    expect(tool.values()).toMatchObject({ start_seconds: 0, end_seconds: null });
    tool.setValues({ start_seconds: 2, end_seconds: 3 });
    tool.setValue('video', null);
    expect(tool.values()).toMatchObject({ start_seconds: 0, end_seconds: null });
  });
});

describe('validation', () => {
  it('shows the error of a field after it was touched, not before', async () => {
    form.setValue('prompt', '');
    await expect.poll(() => messageOf('prompt')).toBeUndefined();
    form.touch('prompt');
    await expect.poll(() => messageOf('prompt')).toBe('Prompt is required.');
  });

  it('removes an error a moment after the value is corrected', async () => {
    form.touch('prompt');
    await expect.poll(() => messageOf('prompt')).toBe('Prompt is required.');
    vi.useFakeTimers();
    form.setValue('prompt', 'A lighthouse');
    await vi.advanceTimersByTimeAsync(100);
    expect(messageOf('prompt')).toBe('Prompt is required.');
    await vi.advanceTimersByTimeAsync(100);
    expect(messageOf('prompt')).toBeUndefined();
    vi.useRealTimers();
  });

  it('shows all errors when the form is submitted, and from then on', async () => {
    await form.submit(onValid, onInvalid);
    expect(onValid).not.toHaveBeenCalled();
    expect(onInvalid).toHaveBeenCalledWith(new Set(['prompt']));
    expect(messageOf('prompt')).toBe('Prompt is required.');
    form.setValue('prompt', 'A lighthouse');
    await expect.poll(() => messageOf('prompt')).toBeUndefined();
    form.setValue('prompt', '');
    await expect.poll(() => messageOf('prompt')).toBe('Prompt is required.');
  });

  it('hides a broken rule, which has a notice of its own, but does not submit', async () => {
    form.setValues({ prompt: 'A lighthouse', resolution: '4K' });
    await form.submit(onValid, onInvalid);
    expect(onInvalid).toHaveBeenCalledWith(new Set(['resolution']));
    expect(messageOf('resolution')).toBeUndefined();
  });

  it('submits the parsed input', async () => {
    form.setValue('prompt', 'A lighthouse');
    await form.submit(onValid, onInvalid);
    expect(onValid.mock.calls[0]?.[0]).toMatchObject({ prompt: 'A lighthouse', aspect_ratio: 'auto' });
    expect(onInvalid).not.toHaveBeenCalled();
  });
});

describe('server errors', () => {
  const path = 'input.reference_images.1.url';
  const message = 'This is not a picture.';
  const image_url = { url: 'https://a.example/1.png' };

  it('keeps an error at its field until the value of that field changes', async () => {
    form.touch('reference_images');
    expect(form.setServerErrors([{ path, message }])).toEqual([]);
    expect(itemError(form.error('reference_images'), 1)).toBe(message);
    expect(listError(form.error('reference_images'))).toBeUndefined();
    form.touch('prompt');
    await expect.poll(() => messageOf('prompt')).toBeDefined();
    form.setValue('prompt', 'x');
    await expect.poll(() => messageOf('prompt')).toBeUndefined();
    expect(messageOf('reference_images')).toBe(message);
    form.setValue('reference_images', [image_url]);
    expect(messageOf('reference_images')).toBeUndefined();
  });

  it('submits again with the same values', async () => {
    form.setValues({ prompt: 'A lighthouse', reference_images: [image_url] });
    form.setServerErrors([{ path, message }]);
    await form.submit(onValid, onInvalid);
    expect(onValid).toHaveBeenCalledOnce();
    expect(messageOf('reference_images')).toBeUndefined();
  });

  it('returns the details that belong to no field', () => {
    const details = [
      { path: 'metadata.prompt', message: 'Too long.' },
      { path: 'input.gone', message: 'Unknown.' },
    ];
    expect(form.setServerErrors(details)).toEqual(details);
  });
});

describe('subscriptions', () => {
  it('notifies a field of its own value and error only', async () => {
    const [prompt, ratio] = [vi.fn<() => void>(), vi.fn<() => void>()];
    form.subscribeField('prompt', prompt);
    form.subscribeField('aspect_ratio', ratio);
    form.setValue('prompt', 'A');
    form.setServerErrors([{ path: 'input.prompt', message: 'No.' }]);
    expect(prompt).toHaveBeenCalledTimes(2);
    expect(ratio).not.toHaveBeenCalled();
  });

  it('keeps values and errors the same objects while nothing in them changes', async () => {
    form.setValue('reference_images', [{ url: 'https://a.example/1.png' }]);
    await form.submit(onValid, onInvalid);
    const [values, error] = [form.values(), form.error('prompt')];
    await form.submit(onValid, onInvalid);
    form.touch('prompt');
    expect(form.values()).toBe(values);
    expect(form.error('prompt')).toBe(error);
    form.setValue('aspect_ratio', '1:1');
    expect(form.values()).not.toBe(values);
    expect(form.values()['reference_images']).toBe(values['reference_images']);
  });

  it('does not notify when a value is set to what it is', () => {
    const listener = vi.fn<() => void>();
    form.subscribe(listener);
    form.setValue('aspect_ratio', 'auto');
    expect(listener).not.toHaveBeenCalled();
    form.setValue('aspect_ratio', '1:1');
    expect(listener).toHaveBeenCalledOnce();
  });

  it('gives a listener the new values', () => {
    let seen: unknown;
    form.subscribe(() => (seen = form.values()['prompt']));
    form.setValue('prompt', 'A');
    expect(seen).toBe('A');
    form.setValues({ prompt: 'B', aspect_ratio: '1:1' });
    expect(seen).toBe('B');
  });
});

describe('field names', () => {
  const names = ['constructor', 'prototype', 'root', 'form', 'a.b', 'a', 'a[0]', '_x', 'x', '0'];
  const text = (name: string): TextFieldSpec => ({
    name,
    label: name,
    kind: 'text',
    group: 'main',
    required: true,
    min_length: 1,
    max_length: 9,
    multiline: false,
  });

  const createOddForm = () => createInputForm({ fields: names.map(text), rules: [] }, {}, () => null);

  it.each(names)('keeps the value of a field that is called %s', (name) => {
    const odd = createOddForm();
    odd.setValue(name, 'one');
    expect(odd.values()).toEqual(Object.fromEntries(names.map((each) => [each, each === name ? 'one' : undefined])));
    odd.setValues({ [name]: 'two' });
    expect(odd.values()[name]).toBe('two');
  });

  it.each(names.filter((name) => !name.includes('.')))('keeps the error of a field that is called %s', async (name) => {
    const odd = createOddForm();
    odd.setValue(name, '');
    odd.touch(name);
    await expect.poll(() => odd.error(name)?.message).toBeDefined();
    expect(names.filter((each) => odd.error(each))).toEqual([name]);
  });
});
