import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { initialValues } from './form-values.ts';
import { maxReferenceCount } from '#web/forms/models/max-reference-count.ts';
import { violatedRules, findRepair, findViolatedRule } from './rule-repair.ts';

const contractOf = (...place: Parameters<typeof inputContract>) => {
  const contract = inputContract(...place);
  if (!contract) throw new Error('No such contract');
  return contract;
};
const image = contractOf('image.create', 'imgmodel-a-2');
const video = contractOf('video.create', 'omni-video');
const search = contractOf('social.search', null);
const pictures = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}.png` }));

describe('repairing a rule', () => {
  it('changes nothing where nothing is broken', () => {
    expect(findRepair(image, initialValues(image), 'resolution', '1K')).toEqual({});
  });

  it('changes the condition where the forbidden value is what is wanted', () => {
    expect(findRepair(image, initialValues(image), 'resolution', '4K')).toEqual({ aspect_ratio: '3:2' });
  });

  it('takes the nearest shape that allows it', () => {
    const values = { ...initialValues(image), aspect_ratio: '5:4' };
    expect(findRepair(image, values, 'resolution', '2K')).toEqual({ aspect_ratio: '4:3' });
    expect(findRepair(image, { ...values, aspect_ratio: '1:1' }, 'resolution', '2K')).toEqual({});
  });

  it('repairs several rules at once', () => {
    const values = { ...initialValues(image), aspect_ratio: '1:1', background: 'transparent' };
    expect(findRepair(image, values, 'resolution', '4K')).toEqual({ aspect_ratio: '4:3', background: null });
  });

  it('changes the ruled field where the condition is what is wanted', () => {
    const values = { ...initialValues(image), aspect_ratio: '16:9', resolution: '4K' };
    expect(findRepair(image, values, 'aspect_ratio', '5:4')).toEqual({ resolution: '1K' });
    expect(findRepair(image, values, 'aspect_ratio', '1:1')).toEqual({ resolution: '2K' });
  });

  it('shortens a list, or gives up what shortens it', () => {
    const values = { ...initialValues(video), reference_images: pictures(7) };
    const clip = { url: 'https://example.com/clip.mp4' };
    expect(findRepair(video, values, 'reference_video', clip)).toEqual({ reference_images: pictures(5) });
    expect(findRepair(video, { ...values, reference_video: clip }, 'reference_images', pictures(6))).toEqual({
      reference_video: null,
    });
  });

  it('frees a choice that has no empty option', () => {
    const values = { ...initialValues(search), platform: 'social_b_reels' };
    expect(findRepair(search, values, 'media_type', 'carousel')).toEqual({ platform: 'social_a' });
  });
});

describe('what a rule says', () => {
  it('names the rule against a value, and those that are broken', () => {
    const values = initialValues(image);
    expect(findViolatedRule(image, values, 'resolution', '4K')?.message).toMatch(/1K/);
    expect(findViolatedRule(image, values, 'resolution', '1K')).toBeUndefined();
    expect(violatedRules(image, { ...values, resolution: '2K' })).toHaveLength(1);
  });

  it('lowers the limit of a list while its condition holds', () => {
    const field = video.fields.find(({ name }) => name === 'reference_images');
    if (field?.kind !== 'references') throw new Error('The field has changed its kind');
    expect(maxReferenceCount(video, initialValues(video), field)).toBe(7);
    expect(maxReferenceCount(video, { ...initialValues(video), reference_video: pictures(1)[0] }, field)).toBe(5);
  });
});
