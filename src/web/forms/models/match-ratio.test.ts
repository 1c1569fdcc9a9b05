import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { InputContract } from '#contract/task.ts';
import { initialValues } from '#web/forms/values/form-values.ts';
import { matchRatio } from './match-ratio.ts';

const video = inputContract('video.create', 'vidmodel-c-2') as InputContract;
const omni = inputContract('video.create', 'omni-video') as InputContract;
const match = (contract: InputContract, ratio: number) => matchRatio(contract, initialValues(contract), ratio)?.value;

describe('matchRatio', () => {
  it('chooses the nearest option', () => {
    expect(match(video, 1024 / 1024)).toBe('1:1');
    expect(match(video, 1365 / 768)).toBe('16:9');
    expect(match(video, 768 / 1024)).toBe('3:4');
  });

  it('follows the picture if no option is near', () => {
    expect(match(video, 3 / 2)).toBe('adaptive');
    expect(match(omni, 3 / 2)).toBe('16:9');
  });

  it('chooses only what the rules allow', () => {
    const ruled: InputContract = {
      ...video,
      rules: [
        {
          when: { field: 'first_frame', present: true },
          field: 'aspect_ratio',
          allow: ['adaptive'],
          message: 'Takes the ratio of the frame.',
        },
      ],
    };
    const values = { ...initialValues(ruled), first_frame: { url: 'https://example.com/a.png' } };
    expect(matchRatio(ruled, values, 16 / 9)?.value).toBe('adaptive');
  });

  it('returns null without a ratio field', () => {
    const trim = inputContract('video.trim', null) as InputContract;
    expect(matchRatio(trim, {}, 1)).toBeNull();
  });
});
