import { describe, expect, it } from 'vitest';
import { inputContract, modelsForTask, TASKS } from '#contract/catalog.ts';
import { BUILT_IN_TASK_IDS } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import { describeFields } from '#web/forms/inputs/describe-input.ts';
import { valuesFromInput } from '#web/forms/models/switch-input.ts';
import { initialValues, isFilledIn, toInput, fillMissingValues } from './form-values.ts';

const trim = inputContract('video.trim', null) ?? { fields: [], rules: [] };
const lipsync = inputContract('video.lipsync', 'lipsync-v3') ?? { fields: [], rules: [] };

describe('an untouched form', () => {
  const places = BUILT_IN_TASK_IDS.flatMap((task) => {
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

describe('compound fields', () => {
  const base = { group: 'main' } as const;
  const scale = { ...base, kind: 'number', name: 'scale', label: 'Scale', min: 0, max: 2, default: 1 } as const;
  const path = {
    ...base,
    kind: 'text',
    name: 'path',
    label: 'Path',
    required: true,
    min_length: 1,
    max_length: 80,
    multiline: false,
  } as const;
  const contract: InputContract = {
    fields: [
      { ...base, kind: 'size', name: 'size', label: 'Size', options: ['square'], default: 'square', min: 64, max: 512 },
      { ...base, kind: 'group', name: 'light', label: 'Light', fields: [scale], nullable: true, default: null },
      { ...base, kind: 'rows', name: 'loras', label: 'LoRAs', fields: [path, scale], min_items: 0, max_items: 2 },
      { ...base, kind: 'list', name: 'seeds', label: 'Seeds', item: scale, min_items: 0, max_items: 3 },
    ],
    rules: [],
  };
  const blank = initialValues(contract);
  const problemsOf = (values: object) => {
    const parsed = parseInput(contract, toInput(contract, { ...blank, ...values }), null);
    return parsed.ok ? [] : parsed.details.map(({ path: at, message }) => `${at}: ${message}`);
  };

  it('are optional, and an untouched form sends their defaults', () => {
    expect(toInput(contract, blank)).toEqual({ size: 'square', light: null });
    expect(problemsOf({})).toEqual([]);
    expect(contract.fields.some((field) => isFilledIn(field, blank[field.name]))).toBe(false);
  });

  it('name the field inside of them that is wrong', () => {
    expect(problemsOf({ size: { width: 32, height: 64 } })).toEqual(['input.size.width: Width must be at least 64.']);
    expect(problemsOf({ size: 'wide' })).toEqual([
      'input.size: Size must be one of square, or a width and a height of 64 to 512 pixels.',
    ]);
    expect(problemsOf({ light: { scale: 3 } })).toEqual(['input.light.scale: Scale must be at most 2.']);
    expect(problemsOf({ loras: [{ path: 'a', scale: 1 }, { path: '' }] })).toEqual([
      'input.loras.1.path: Path is required.',
    ]);
    expect(problemsOf({ loras: Array.from({ length: 3 }, () => ({ path: 'a' })) })).toEqual([
      'input.loras: LoRAs can have at most 2 items.',
    ]);
    expect(problemsOf({ seeds: [1, 'x'] })).toEqual(['input.seeds.1: Item 2 must be a number.']);
  });

  it('are read back as they were sent, without what no longer fits', () => {
    const sent = {
      size: { width: 64, height: 128 },
      light: { scale: 2 },
      loras: [{ path: 'a', scale: 1 }],
      seeds: [1],
    };
    expect(problemsOf(sent)).toEqual([]);
    expect(toInput(contract, valuesFromInput(contract, sent))).toEqual(sent);
    expect(valuesFromInput(contract, { size: 'wide', seeds: ['x', 2] })).toMatchObject({ size: 'square', seeds: [2] });
    expect(
      describeFields(contract.fields, sent).map(({ label, ...row }) => `${label}: ${'text' in row && row.text}`),
    ).toEqual(['Size: 64 × 128', 'Light: Scale 2', 'LoRAs: Path “a”, Scale 1', 'Seeds: 1']);
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

describe('kinds of inputs that schemas of providers have', () => {
  const base = { label: 'A', group: 'main' } as const;
  const contract: InputContract = {
    fields: [
      { ...base, name: 'avoid', kind: 'text', default: 'blur', min_length: 1, max_length: 9, multiline: false },
      { ...base, name: 'ratio', kind: 'choice', options: ['1:1'], own_max_length: 5, default: '1:1' },
      { ...base, name: 'shift', kind: 'number', min: null, max: 1, exclusive_max: true, multiple_of: 0.25, default: 0 },
      { ...base, name: 'loop', kind: 'boolean', default: null, nullable: true },
      { ...base, name: 'size', kind: 'size', options: [], min: 1, max: 99, default: { width: 9, height: 9 } },
      {
        ...base,
        name: 'styles',
        kind: 'list',
        item: { ...base, name: 'styles', kind: 'choice', options: ['a', 'b'] },
        min_items: 0,
        max_items: 2,
        default: ['a'],
      },
      { ...base, name: 'plan', kind: 'json', keys: ['plan'], nullable: true, default: null },
    ],
    rules: [],
  };
  const initial = initialValues(contract);
  const issues = (input: object) => {
    const parsed = parseInput(contract, input, null);
    return parsed.ok ? [] : parsed.details.map(({ path }) => path);
  };

  it('start with their defaults, untouched', () => {
    const input = toInput(contract, initial);
    expect(input).toEqual({
      avoid: 'blur',
      ratio: '1:1',
      shift: 0,
      loop: null,
      size: { width: 9, height: 9 },
      styles: ['a'],
      plan: null,
    });
    expect(parseInput(contract, {}, null)).toEqual({ ok: true, input });
    expect(contract.fields.filter((field) => isFilledIn(field, initial[field.name]))).toEqual([]);
    expect(valuesFromInput(contract, input)).toEqual(initial);
  });

  it('are validated', () => {
    expect(issues({ ratio: '7:5', shift: -1.75, loop: false, styles: [], plan: { plan: [{}] } })).toEqual([]);
    expect(issues({ ratio: 'much too long' })).toEqual(['input.ratio']);
    expect(issues({ shift: 1 })).toEqual(['input.shift']);
    expect(issues({ shift: 0.3 })).toEqual(['input.shift']);
    expect(issues({ plan: '{ "plan":' })).toEqual(['input.plan']);
    expect(issues({ plan: { other: 1 } })).toEqual(['input.plan.other']);
    const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 1);
    expect(issues({ plan: { plan: deep } })).toEqual(['input.plan']);
  });

  it('send an empty list where a default would replace a missing one', () => {
    expect(toInput(contract, { ...initial, styles: [] })).toMatchObject({ styles: [] });
  });

  it('send null for an emptied list that may be null', () => {
    const list = { kind: 'list', name: 'stems', label: 'Stems', group: 'more', min_items: 0, max_items: 9 } as const;
    const item = { ...list, kind: 'text', multiline: false, min_length: 1, max_length: 9, required: true } as const;
    const emptied = (preset: readonly string[] | null) =>
      toInput({ fields: [{ ...list, item, nullable: true, default: preset }], rules: [] }, { stems: [] });
    expect(emptied(['drums'])).toEqual({ stems: null });
    expect(emptied([])).toEqual({ stems: [] });
    expect(emptied(null)).toEqual({});
  });
});
