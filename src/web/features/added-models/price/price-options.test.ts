import { expect, it } from 'vitest';
import type { InputContract } from '#contract/task.ts';
import { conditionOptions, firstCondition, firstQuantity, quantityKey, quantityOptions } from './price-options.ts';

const contract: InputContract = {
  fields: [
    {
      kind: 'text',
      name: 'prompt',
      label: 'Prompt',
      group: 'main',
      required: true,
      min_length: 1,
      max_length: 500,
      multiline: true,
    },
    { kind: 'choice', name: 'resolution', label: 'Resolution', group: 'shape', options: ['720p', '1080p'] },
    { kind: 'choice', name: 'duration', label: 'Duration', group: 'main', options: [5, 10], default: 5 },
    { kind: 'integer', name: 'num_frames', label: 'Frames', group: 'main', min: 17, max: 161, default: 81 },
    { kind: 'integer', name: 'fps', label: 'Frame rate', group: 'main', min: 4, max: 60, default: 16 },
    { kind: 'boolean', name: 'audio', label: 'Audio', group: 'sound', default: null, nullable: true },
    { kind: 'reference', name: 'audio_url', label: 'Sound', group: 'references', media: 'audio', with_role: false },
  ],
  rules: [],
};
const labels = (unit: Parameters<typeof quantityOptions>[1]) =>
  quantityOptions(contract, unit, firstQuantity(contract, unit)).map(({ label }) => label);

it('offers what a unit can count', () => {
  expect(labels('second')).toEqual([
    'Resolution',
    'Duration',
    'Frames',
    'Frame rate',
    'Length of Sound',
    'Seconds that the provider bills, known afterwards',
  ]);
  expect(labels('1000_characters')[0]).toBe('Characters of Prompt');
  expect(labels('run')).toEqual(['Each run', 'Units that the provider bills, known afterwards']);
});

it('starts with the field that is named for it', () => {
  expect(firstQuantity(contract, 'second')).toEqual({ from: 'field', field: 'duration', largest: null });
  expect(firstQuantity(contract, 'token')).toEqual({ from: 'result', largest: null });
  expect(firstQuantity(contract, 'image')).toEqual({ from: 'one' });
});

it('keeps what a price counts although the form does not have it', () => {
  const options = quantityOptions(contract, 'second', { from: 'field', field: 'length', largest: 9 });
  expect(options.at(-1)).toMatchObject({ label: 'length', quantity: { from: 'field', field: 'length' } });
});

it('knows what counts apart from the most of it', () => {
  const key = (largest: number | null) => quantityKey({ from: 'field', field: 'fps', largest });
  expect(key(24)).toBe(key(null));
  expect(key(24)).not.toBe(quantityKey({ from: 'size', field: 'fps', largest: 24 }));
});

it('lists the values that a tier can ask for, with their type', () => {
  const [, , duration, , , audio, sound] = contract.fields;
  expect(conditionOptions(duration)?.map(({ value }) => value)).toEqual([5, 10]);
  expect(conditionOptions(audio)?.map(({ value }) => value)).toEqual([true, false, null]);
  expect(sound && firstCondition(sound)).toEqual({ field: 'audio_url', present: true });
});
