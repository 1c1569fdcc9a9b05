import { describe, expect, it } from 'vitest';
import { inputContract, modelsForTask, TASKS } from '#contract/catalog.ts';
import { TASK_IDS } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import { valuesFromInput } from './switch-input.ts';
import { initialValues, isFilledIn, toInput, fillMissingValues } from './form-values.ts';

const trim = inputContract('video.trim', null) ?? { fields: [], rules: [] };
const lipsync = inputContract('video.lipsync', 'lipsync-v3') ?? { fields: [], rules: [] };

describe('an untouched form', () => {
  const places = TASK_IDS.flatMap((task) => {
    const models = modelsForTask(task);
    return (models.length > 0 ? models : [null]).map((model) => ({ task, model }));
  });

  it.each(places)('$task $model lacks only what is required', ({ task, model }) => {
    const contract = inputContract(task, model);
    if (!contract) throw new Error('No such contract');
    const parsed = parseInput(contract, toInput(contract, initialValues(contract)), null);
    const wrong = new Set(parsed.ok ? [] : parsed.details.map(({ path }) => path.split('.')[1]));
    const required = contract.fields.filter(
      (field) =>
        ('required' in field && field.required) ||
        (field.kind === 'choice' && field.default === undefined && field.preselected === undefined),
    );
    expect(wrong).toEqual(new Set(required.map(({ name }) => name)));
    expect(TASKS[task].id).toBe(task);
  });

  it('holds nothing that would be missed', () => {
    const values = initialValues(trim);
    expect(trim.fields.filter((field) => isFilledIn(field, values[field.name]))).toEqual([]);
  });
});

describe('an optional text', () => {
  const text = { kind: 'text', label: 'Avoid', group: 'more', min_length: 3, max_length: 9, multiline: true } as const;
  const contract: InputContract = {
    fields: [{ ...text, name: 'negative_prompt', nullable: true, default: null }],
    rules: [],
  };
  const parsed = (negative_prompt: unknown) => parseInput(contract, { negative_prompt }, null);

  it.each(['', '  '])('is null where the form has %j', (negative_prompt) => {
    expect(toInput(contract, { negative_prompt })).toEqual({ negative_prompt: null });
    expect(parseInput(contract, toInput(contract, initialValues(contract)), null).ok).toBe(true);
  });

  it('keeps its limits where there is one', () => {
    expect(toInput(contract, { negative_prompt: 'blurry' })).toEqual({ negative_prompt: 'blurry' });
    for (const value of ['blurry', '', null]) expect(parsed(value).ok).toBe(true);
    for (const value of ['ab', 'far too long', '   ', 4]) expect(parsed(value).ok).toBe(false);
    expect(parseInput(contract, {}, null)).toEqual({ ok: true, input: { negative_prompt: null } });
  });

  it('comes back from an order, and counts as untouched while it is empty', () => {
    expect(valuesFromInput(contract, { negative_prompt: null })).toEqual({ negative_prompt: '' });
    const [field] = contract.fields;
    expect(field && isFilledIn(field, '')).toBe(false);
  });
});

describe('the input of a request', () => {
  it('leaves out what is empty and required, so that it reads as missing', () => {
    expect(toInput(trim, initialValues(trim))).toEqual({ start_seconds: 0 });
  });

  it('keeps an emptied number that has a default, so that the default is not taken unseen', () => {
    expect(toInput(trim, { ...initialValues(trim), start_seconds: null })).toEqual({ start_seconds: null });
  });

  it('sends roles only where they are taken and said', () => {
    const url = 'https://example.com/a.mp4';
    expect(toInput(lipsync, { video: { url, role: 'x' }, audio: { url }, sync_mode: 'loop' })).toEqual({
      video: { url },
      audio: { url },
      sync_mode: 'loop',
    });
    const omni = inputContract('video.create', 'omni-video');
    const values = {
      reference_images: [
        { url, role: ' style ' },
        { url, role: ' ' },
      ],
    };
    expect(omni && toInput(omni, values)).toMatchObject({ reference_images: [{ url, role: 'style' }, { url }] });
  });

  it('reads an old draft by the fields there are now', () => {
    expect(fillMissingValues(trim, { end_seconds: 3, gone: 1 })).toEqual({
      video: null,
      start_seconds: 0,
      end_seconds: 3,
    });
  });
});
