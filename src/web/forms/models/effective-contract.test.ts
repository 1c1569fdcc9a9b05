import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { Model } from '#contract/resources/catalog.ts';
import type { InputContract, Rule, Scalar } from '#contract/task.ts';
import { effectiveContract } from './effective-contract.ts';
import { formatInputLimits } from '#web/forms/values/format-input-limits.ts';
import { initialValues, toInput } from '#web/forms/values/form-values.ts';
import { maxReferenceCount } from './max-reference-count.ts';
import { findLockingRule, findRepair, findViolatedRule } from '#web/forms/values/rule-repair.ts';
import { supportedContract } from './supported-contract.ts';
import { switchInput } from './switch-input.ts';

const always = (field: string, allow: readonly Scalar[]): Rule & { allow: readonly Scalar[] } => ({
  when: { field: 'prompt', present: true },
  field,
  allow,
  message: `${field} is restricted.`,
});

const IMAGE_RESTRICTIONS: Rule[] = [
  always('resolution', ['1K']),
  always('aspect_ratio', ['1:1', '3:2']),
  { when: { field: 'reference_images', present: true }, field: 'background', allow: [null], message: 'No background.' },
];
const VIDEO_RESTRICTIONS: Rule[] = [
  always('generate_audio', [false]),
  { when: { field: 'first_frame', present: true }, field: 'reference_images', max_items: 0, message: 'Not both.' },
  { when: { field: 'first_frame', in: [null] }, field: 'last_frame', allow: [null], message: 'First, then last.' },
];
const SEED_RESTRICTIONS: Rule[] = [always('seed', [null])];

const listed = (id: Model['id'], task: Model['tasks'][number]['task'], restrictions: Rule[]) =>
  [{ id, tasks: [{ task, restrictions }] }] as unknown as Model[];

function restricted(...[task, model, restrictions]: ['image.create' | 'video.create', Model['id'], Rule[]]) {
  const contract = effectiveContract(task, model, listed(model, task, restrictions));
  if (!contract) throw new Error('No such contract');
  return contract;
}
const image = restricted('image.create', 'imgmodel-a-2', IMAGE_RESTRICTIONS);
const video = restricted('video.create', 'vidmodel-c-2', VIDEO_RESTRICTIONS);
const field = ({ fields }: InputContract, name: string) => {
  const found = fields.find((each) => each.name === name);
  if (!found) throw new Error(`No field ${name}`);
  return found;
};
const picture = { url: 'https://example.com/1.png' };

describe('effectiveContract', () => {
  it('adds the restrictions to the rules, and is the same object for the same restrictions', () => {
    expect(image.rules.slice(-3)).toEqual(IMAGE_RESTRICTIONS);
    expect(restricted('image.create', 'imgmodel-a-2', IMAGE_RESTRICTIONS)).toBe(image);
    expect(restricted('image.create', 'imgmodel-a-2', [...IMAGE_RESTRICTIONS])).not.toBe(image);
  });

  it('is the contract itself without restrictions and until the models are loaded', () => {
    const contract = inputContract('image.create', 'imgmodel-a-2');
    expect(effectiveContract('image.create', 'imgmodel-a-2', undefined)).toBe(contract);
    expect(effectiveContract('image.create', 'imgmodel-a-2', listed('imgmodel-a-2', 'image.edit', []))).toBe(contract);
    expect(effectiveContract('video.create', 'imgmodel-a-2', undefined)).toBeUndefined();
  });

  it('makes the validator report restricted options', () => {
    const parsed = parseInput(image, { prompt: 'A fox', resolution: '4K', aspect_ratio: '3:2' }, null);
    expect(parsed).toMatchObject({
      ok: false,
      details: [{ path: 'input.resolution', message: 'resolution is restricted.' }],
    });
  });
});

describe('a form with restrictions', () => {
  it('starts with values that the provider supports', () => {
    const values = initialValues(image);
    expect(values).toMatchObject({ aspect_ratio: '1:1', resolution: '1K' });
    expect(parseInput(image, toInput(image, { ...values, prompt: 'A fox' }), null).ok).toBe(true);
    expect(initialValues(video)).toMatchObject({ generate_audio: false });
  });

  it('accepts an unset choice where the provider supports nothing else', () => {
    const restriction = { when: { field: 'prompt', present: true as const }, field: 'background', allow: [null] };
    const limited = restricted('image.create', 'imgmodel-a-2', [{ ...restriction, message: 'No background.' }]);
    const values = initialValues(limited);
    expect(findViolatedRule(limited, values, 'background', values['background'])).toBeUndefined();
    expect(findViolatedRule(limited, values, 'background', 'opaque')?.message).toBe('No background.');
  });

  it('names the restriction rather than a rule that another field would change', () => {
    const values = { ...initialValues(image), aspect_ratio: 'auto' };
    expect(findViolatedRule(image, values, 'resolution', '2K')?.message).toBe('resolution is restricted.');
    expect(findRepair(image, initialValues(image), 'resolution', '2K')).toBeNull();
  });

  it('ignores an empty list in the condition of a rule', () => {
    const values = { ...initialValues(image), reference_images: [] };
    expect(findViolatedRule(image, values, 'background', 'opaque')).toBeUndefined();
    expect(findRepair(image, { ...values, reference_images: [picture] }, 'background', 'opaque')).toEqual({
      reference_images: [],
    });
  });

  it('locks fields that have one possible value, while they have it', () => {
    const omni = restricted('video.create', 'omni-video', SEED_RESTRICTIONS);
    const values = initialValues(omni);
    expect(findLockingRule(omni, values, field(omni, 'seed'))?.message).toBe('seed is restricted.');
    expect(findLockingRule(omni, { ...values, seed: 7 }, field(omni, 'seed'))).toBeUndefined();
    expect(findLockingRule(video, initialValues(video), field(video, 'generate_audio'))).toBeDefined();
    expect(findLockingRule(image, initialValues(image), field(image, 'resolution'))).toBeUndefined();
  });

  it('has no room for media that other media exclude', () => {
    const blank = initialValues(video);
    const [images, last] = [field(video, 'reference_images'), field(video, 'last_frame')];
    if (images.kind !== 'references' || last.kind !== 'reference') throw new Error('The fields have changed');
    expect(maxReferenceCount(video, blank, images)).toBe(9);
    expect(maxReferenceCount(video, { ...blank, first_frame: picture }, images)).toBe(0);
    expect(maxReferenceCount(video, blank, last)).toBe(0);
    expect(maxReferenceCount(video, { ...blank, first_frame: picture }, last)).toBe(1);
  });

  it('adapts the values of another model and lists the changes', () => {
    const from = inputContract('image.create', 'imgmodel-b-2');
    if (!from) throw new Error('No such contract');
    const values = { ...initialValues(from), prompt: 'A fox', aspect_ratio: '3:2', resolution: '4K' };
    const switched = switchInput(from, image, values);
    expect(switched.values).toMatchObject({ prompt: 'A fox', aspect_ratio: '3:2', resolution: '1K' });
    expect(switched.changed).toContainEqual({ label: 'Size', from: '4K', to: '1K' });
  });
});

describe('supportedContract', () => {
  it('leaves out what no input can use', () => {
    expect(formatInputLimits(supportedContract(image))).not.toContain('Up to 4K');
    expect(supportedContract(image)).toBe(supportedContract(image));
    const omni = supportedContract(restricted('video.create', 'omni-video', SEED_RESTRICTIONS));
    expect(omni.fields.map(({ name }) => name)).not.toContain('seed');
  });

  it('keeps what depends on other fields', () => {
    expect(supportedContract(video).fields.map(({ name }) => name)).toContain('last_frame');
  });
});
