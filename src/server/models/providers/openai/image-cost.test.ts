import { describe, expect, it } from 'vitest';
import { computeImageCost, findImageCost } from './image-cost.ts';

const OPENAI = 'https://api.openai.com/v1';

describe('the cost of an image at OpenAI', () => {
  it('follows from its tokens', () => {
    const input_tokens_details = { text_tokens: 20, image_tokens: 1_000 };
    expect(computeImageCost({ input_tokens: 1_020, input_tokens_details, output_tokens: 196 })).toBe(13_980n);
    expect(computeImageCost({ input_tokens: 1_020, output_tokens: 196 })).toBe(14_040n);
  });

  it.each([
    ['gpt-image-2', OPENAI, true],
    ['gpt-image-2.5-flare-2026-09-08', OPENAI, true],
    ['gpt-image-2.6-sunburst', OPENAI, true],
    ['gpt-image-1', OPENAI, false],
    ['gpt-image-2.5', OPENAI, false],
    ['gpt-image-2', 'http://gpu.lan:8000/v1', false],
  ])('is known for %s at %s: %s', (model, base_url, isKnown) => {
    expect(findImageCost(model, base_url) !== undefined).toBe(isKnown);
  });
});
