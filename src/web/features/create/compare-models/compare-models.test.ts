import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { type AnyModelId, MODEL_IDS, type TaskId } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import { PRICES } from '#contract/money/pricing.ts';
import { initialValue, initialValues } from '#web/forms/values/form-values.ts';
import { compareModels } from './compare-models.ts';

function compare(task: TaskId, model: AnyModelId, values: Record<string, unknown>) {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`${task} does not run on ${model}`);
  return compareModels({
    prices: PRICES,
    catalog: { tasks: undefined, models: undefined },
    task,
    model,
    values: { ...initialValues(contract), ...values },
    validate: parseInput,
    localOrigin: null,
    findMediaInfo: () => undefined,
  });
}

it('prices the same input on every compatible model, cheapest first', () => {
  const { rows } = compare('video.create', 'vidmodel-c-2', { prompt: 'A walk', duration_seconds: 10 });
  const prices = rows.map(({ model, quote, differenceMicroUsd }) => [model, quote.amount_usd, differenceMicroUsd]);
  expect(prices).toEqual([
    ['vidmodel-c-2-mini', '0.30', -275_000n],
    ['vidmodel-c-2-fast', '0.45', -125_000n],
    ['vidmodel-c-2', '0.575', 0n],
    ['vidmodel-c-2.5', '0.85', 275_000n],
  ]);
});

it('explains which limit makes a model incompatible', () => {
  const { incompatible, rows } = compare('video.create', 'vidmodel-c-2.5', { prompt: 'A walk', duration_seconds: 30 });
  expect(rows.map(({ model }) => model)).toEqual(['vidmodel-c-2.5']);
  const reasons = new Map(incompatible.map(({ model, reasons: texts }) => [model, texts]));
  expect(reasons.get('vidmodel-c-2')).toEqual(['Length is 4 to 15 s, not 30 s.']);
  expect([...reasons.values()].every((texts) => texts.length > 0)).toBe(true);
});

it('lists other defaults as changes', () => {
  const { rows } = compare('image.create', 'imgmodel-a-2.5-flare', { prompt: 'A walk' });
  const other = rows.find(({ model }) => model === 'imgmodel-b-2');
  expect(other?.changed.map(({ label }) => label)).toContain('Shape');
  expect(rows.find(({ model }) => model === 'imgmodel-a-2.5-flare')?.changed).toEqual([]);
});

it('names the fields that a model does not have, unless they are empty', () => {
  const { rows } = compare('image.create', 'imgmodel-a-2.5-flare', { prompt: 'A walk' });
  expect(rows.find(({ model }) => model === 'imgmodel-b-2')?.inapplicable).toEqual(['Quality']);
  const named = MODEL_IDS.flatMap((model) => {
    const fields = inputContract('video.create', model)?.fields ?? [];
    const labels = new Set(fields.filter((field) => initialValue(field) == null).map(({ label }) => label));
    const inapplicable = fields.length > 0 ? compare('video.create', model, { prompt: 'A walk' }).rows : [];
    return inapplicable.flatMap((row) => row.inapplicable).filter((label) => labels.has(label));
  });
  expect(named).toEqual([]);
});

it('lists unavailable models as incompatible', () => {
  const contract = inputContract('image.create', 'imgmodel-b-2');
  const { incompatible } = compareModels({
    prices: PRICES,
    catalog: { tasks: undefined, models: [] },
    task: 'image.create',
    model: 'imgmodel-b-2',
    values: contract ? initialValues(contract) : {},
    validate: parseInput,
    localOrigin: null,
    findMediaInfo: () => undefined,
  });
  expect(incompatible[0]?.reasons).toEqual(['Unavailable on this service.']);
});
