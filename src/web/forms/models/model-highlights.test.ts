import { describe, expect, it } from 'vitest';
import { inputContract, modelsForTask, TASKS } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { type Price, type PriceBook, findPrice, PRICES } from '#contract/money/pricing.ts';
import { type ComparedModel, modelHighlights } from './model-highlights.ts';

const compared = (task: TaskId, prices: PriceBook = PRICES, models = modelsForTask(task)): ComparedModel[] =>
  models.flatMap((model) => {
    const contract = inputContract(task, model);
    return contract ? [{ model, contract, price: findPrice(prices, task, model) }] : [];
  });
const highlights = (task: TaskId, model: AnyModelId) => modelHighlights(task, model, compared(task), TASKS[task].name);

describe('modelHighlights', () => {
  it('returns what a model has the most of, the rarest fact first', () => {
    expect(highlights('video.create', 'vidmodel-c-2.5').slice(0, 2)).toEqual([
      'Longest clips: up to 30 s',
      'Most reference images: 30',
    ]);
    expect(highlights('video.create', 'vidmodel-c-2')[0]).toBe('Largest size: 4K');
    expect(highlights('image.create', 'imgmodel-a-2')).toContain('Background: Transparent or Opaque');
    expect(highlights('image.edit', 'imgmodel-b-2-lite')[0]).toBe('Lowest price of 7');
    expect(highlights('image.edit', 'imgmodel-a-2')).toContain('Most input images: 16');
  });

  it('leaves out what most models have', () => {
    // Four other models make images as large as 4K: 3840 × 2160 is the same size.
    expect(highlights('image.create', 'imgmodel-b-pro').join()).not.toContain('size');
  });

  it('names no trivia: shapes, and ranks of prices below the lowest', () => {
    for (const task of ['image.create', 'image.edit', 'video.create'] as const)
      for (const model of modelsForTask(task))
        expect(highlights(task, model).join(), model).not.toMatch(/shape|Second|Third|Mid-range|Highest/);
  });

  it('compares prices only with those of the same unit', () => {
    expect(highlights('video.create', 'vidmodel-c-2-mini')[0]).toBe('Lowest price per second');
    expect(highlights('video.create', 'vidmodel-c-2-fast')).toEqual(['Clips with sound']);
    expect(highlights('video.create', 'omni-video')).toEqual(['One price for any length', 'Seed setting']);
  });

  it('ranks no prices that options multiply, and none that are unknown', () => {
    const multiplied = PRICES.map((row): Price =>
      row.model === 'imgmodel-b-pro' ? { ...row, multipliers: { resolution: { '4K': 2_000_000n } } } : row,
    );
    for (const prices of [multiplied, []]) {
      const facts = modelHighlights('image.create', 'imgmodel-b-2-lite', compared('image.create', prices), 'Images');
      expect(facts.join()).not.toContain('price');
    }
  });

  it('names the task that only one model runs', () => {
    expect(highlights('video.lipsync', 'lipsync-v3')).toEqual(['The only model for “Lip sync”']);
  });

  it('has no fact for a model without another to compare with', () => {
    const alone = compared('image.create', PRICES, ['imgmodel-b-2']);
    expect(modelHighlights('image.create', 'imgmodel-b-2', alone, 'Images')).toEqual([]);
  });
});
