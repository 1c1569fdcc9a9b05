import { describe, expect, it } from 'vitest';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import type { CompatCall } from './compat-adapter.ts';
import { JsonFiles } from './json-files.ts';
import { firstOf, only } from './parameter-rules.ts';
import { toTaskInput } from './compat-input.ts';

const base = (name: string) => ({ name, label: name, group: 'main' as const });
const TAG = { ...base('tag'), kind: 'text', min_length: 0, max_length: null, multiline: false } as const;
const FIELDS: readonly FieldSpec[] = [
  { ...base('prompt'), kind: 'text', required: true, min_length: 1, max_length: null, multiline: true },
  { ...base('format'), kind: 'choice', options: ['png', 'jpeg'], default: 'png' },
  { ...base('shape'), kind: 'choice', options: ['adaptive', '1:1'], default: 'adaptive' },
  { ...base('steps'), kind: 'integer', min: 1, max: 9 },
  { ...base('look'), kind: 'choice', options: ['warm', 'cold'], default: 'warm' },
  { ...base('tags'), kind: 'list', item: TAG, min_items: 0, max_items: 3 },
  { ...base('images'), kind: 'references', media: 'image', min_items: 0, max_items: 2, with_role: false },
  { ...base('advanced'), kind: 'json', keys: ['lora', 'masks'] },
];
const contract: InputContract = { fields: FIELDS, rules: [] };
const RULES = {
  image_urls: firstOf('pictures', 'images'),
  seed: firstOf('seed'),
  moderation: only('Send auto.', 'auto'),
  style: only('Leave style out.', 'vivid'),
  look: only('Send auto.', 'auto'),
};

const call = { files: new JsonFiles(), deps: { config: { maxJsonBytes: 1_000 } } } as CompatCall;
const translate = async (parameters: Record<string, unknown>) =>
  (await toTaskInput(call, contract, parameters, RULES)).input;
const refusal = (parameters: Record<string, unknown>) => expect(translate(parameters)).rejects;

describe('the parameters of another API', () => {
  it('are fields by their name, or what the rules of the API say', async () => {
    const images = ['https://x.test/a.png'];
    expect(await translate({ prompt: 'x', steps: '4', image_urls: images, moderation: 'auto', format: null })).toEqual({
      prompt: 'x',
      steps: 4,
      images: [{ url: images[0] }],
    });
  });

  it.each([
    { steps: '', images: [], image_urls: [], seed: {}, moderation: '', unknown: [] },
    { format: '', shape: null, quality: '', style: 'vivid' },
    { look: 'auto' },
  ])('%j say nothing', async (parameters) => {
    expect(await translate({ prompt: 'x', ...parameters })).toEqual({ prompt: 'x' });
  });

  it('that are empty are kept where that says something', async () => {
    expect(await translate({ prompt: '', tags: [] })).toEqual({ prompt: '', tags: [] });
  });

  it.each([
    [
      { format: 'JPG', shape: 'auto' },
      { format: 'jpeg', shape: 'adaptive' },
    ],
    [{ format: 'PNG' }, { format: 'png' }],
    [{ format: 'webp' }, { format: 'webp' }],
  ])('%j are options as the field writes them', async (parameters, input) => {
    expect(await translate(parameters)).toEqual(input);
  });

  it('that no field shows go to the field of JSON, unless it is sent itself', async () => {
    const input = await translate({ prompt: 'x', lora: { scale: 1 }, masks: null });
    expect(input).toEqual({ prompt: 'x', advanced: { lora: { scale: 1 } } });
    await refusal({ advanced: {}, lora: { scale: 1 } }).toMatchObject({ status: 422, details: [{ path: 'lora' }] });
  });

  it.each([
    [{ unknown: 1 }, 'unknown', 'The parameter unknown is not supported for this model.'],
    [{ seed: 1 }, 'seed', 'The parameter seed is not supported for this model.'],
    [{ moderation: 'low' }, 'moderation', 'Send auto.'],
    [{ constructor: 1 }, 'constructor', 'The parameter constructor is not supported for this model.'],
    [{ look: 'grey-ish', steps: 1, style: 'natural' }, 'style', 'Leave style out.'],
    [{ images: ['a'], image_urls: ['b'] }, 'image_urls', 'images and image_urls say the same. Send one of them.'],
    [{ images: ['a', 'b', 'c'] }, 'images', 'images takes at most 2 items.'],
    [{ images: ['data:text'] }, 'images', 'images is no data URI in base64.'],
  ])('%j are refused by name', async (parameters, path, message) => {
    await refusal(parameters).toMatchObject({ status: 422, message, details: [{ path, message }] });
  });
});
