import { describe, expect, it } from 'vitest';
import { inputContract, MODEL_NAMES, modelsForTask } from '#contract/catalog.ts';
import { type AnyModelId, MODEL_IDS, type ModelId, BUILT_IN_TASK_IDS, type TaskId } from '#contract/ids.ts';
import { presentPrices, PRICES } from '#contract/money/pricing.ts';
import { describeInputs } from './describe-inputs.ts';
import { parseCatalogSearch } from './catalog-search.ts';
import { formatMultipliers } from '#contract/money/multipliers.ts';
import { type PricedCatalog, hasMinimum, isFree, modelOffers, taskOffers } from './offers.ts';

const contract = (task: TaskId, model: AnyModelId | null) => {
  const result = inputContract(task, model);
  if (!result) throw new Error(`No contract of ${task} for ${model}`);
  return result;
};
const price = (task: TaskId, model: ModelId | null, unit_price_usd: string, minimum_usd: string) => ({
  task,
  model,
  unit: 'image' as const,
  unit_price_usd,
  minimum_usd,
  note: null,
});
const task = (id: TaskId, requires_model: boolean, available = true) => ({
  id,
  object: 'task' as const,
  name: id,
  description: '',
  media_type: 'image' as const,
  available,
  requires_model,
  models: [],
  output_schema: {},
});
const catalog: PricedCatalog = {
  tasks: [task('image.create', true), task('image.edit', true, false), task('video.trim', false)],
  models: [
    {
      id: 'imgmodel-a-2',
      object: 'model',
      name: 'x',
      available: true,
      engine: 'preview',
      tasks: [
        { task: 'image.create', input_schema: {}, defaults: {} },
        { task: 'image.edit', input_schema: {}, defaults: {} },
      ],
    },
  ],
  prices: [price('image.create', 'imgmodel-a-2', '0.03', '0.03'), price('video.trim', null, '0.00', '0.00')],
};

describe('offers', () => {
  it('combines each model with its tasks, prices and availability', () => {
    const [model] = modelOffers(catalog, {});
    expect(model).toMatchObject({ name: 'ImgModel A 2', engine: 'preview', media: 'image' });
    expect(model?.offers.map((offer) => [offer.task, offer.available, offer.price?.unit_price_usd])).toEqual([
      ['image.create', true, '0.03'],
      ['image.edit', false, undefined],
    ]);
    expect(taskOffers('tools', catalog, {}).map(({ name }) => name)).toEqual(['Trim a video']);
  });

  it('filters by task and by text', () => {
    expect(modelOffers(catalog, { task: 'image.edit' })[0]?.offers).toHaveLength(1);
    expect(modelOffers(catalog, { task: 'video.trim' })).toEqual([]);
    expect(modelOffers(catalog, { q: 'a 2' })).toHaveLength(1);
    expect(taskOffers('tools', catalog, { q: 'FRAME' })).toHaveLength(1);
    expect(taskOffers('tools', catalog, { q: 'lighthouse' })).toEqual([]);
  });

  it('shows the names of this installation, and finds them and the original ones', () => {
    const named: PricedCatalog = {
      ...catalog,
      tasks: catalog.tasks.map((each) =>
        each.id === 'video.trim' ? { ...each, display: { name: 'Cut a clip', description: null } } : each,
      ),
      models: catalog.models.map((model) => ({ ...model, display: { name: 'House style', description: 'Photos.' } })),
    };
    for (const q of ['house', 'ImgModel A 2'])
      expect(modelOffers(named, { q })).toMatchObject([{ name: 'House style', display: { description: 'Photos.' } }]);
    const [tool] = taskOffers('tools', named, {});
    expect(tool).toMatchObject({ name: 'Cut a clip', description: taskOffers('tools', catalog, {})[0]?.description });
    expect(taskOffers('tools', named, { q: 'cut' })).toHaveLength(1);
  });

  it('parses search parameters', () => {
    expect(parseCatalogSearch({ task: 'video.trim', q: ' a ' })).toEqual({ task: 'video.trim', q: 'a' });
    expect(parseCatalogSearch({ task: 'dance', q: '' })).toEqual({});
  });

  it('returns the engine of each task, falling back to that of the model', () => {
    const [model] = catalog.models;
    if (!model) throw new Error('No model');
    const mixed = {
      ...catalog,
      models: [
        {
          ...model,
          tasks: model.tasks.map((each, at) => (at === 0 ? { ...each, engine: 'upstream' as const } : each)),
        },
      ],
    };
    expect(modelOffers(mixed, {})[0]?.offers.map(({ engine }) => engine)).toEqual(['upstream', 'preview']);
    expect(taskOffers('tools', catalog, {})[0]?.engine).toBeUndefined();
  });

  it('formats price multipliers', () => {
    const multipliers = { resolution: { '480p': '0.5', '4K': '6.00' }, generate_audio: { true: '1.25' } };
    const ofModel = contract('video.create', 'vidmodel-c-2');
    expect(formatMultipliers(multipliers, ofModel).map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      'Size: 480p × 0.5, 4K × 6',
      'Generate audio: on × 1.25',
    ]);
    expect(formatMultipliers(undefined, ofModel)).toEqual([]);
  });

  it('detects free prices and minimums', () => {
    expect(isFree(price('video.trim', null, '0.00', '0.00'))).toBe(true);
    expect(hasMinimum(price('image.create', null, '0.00474', '0.004745'))).toBe(true);
    expect(hasMinimum(price('image.create', null, '0.03', '0.03'))).toBe(false);
  });
});

it('shows only highlights that hold for every task of a model', () => {
  const full: PricedCatalog = {
    tasks: BUILT_IN_TASK_IDS.map((id) => task(id, modelsForTask(id).length > 0)),
    models: MODEL_IDS.map((id) => ({
      id,
      object: 'model',
      name: MODEL_NAMES[id],
      available: true,
      engine: 'preview',
      tasks: BUILT_IN_TASK_IDS.filter((each) => modelsForTask(each).includes(id)).map((each) => ({
        task: each,
        input_schema: {},
        defaults: {},
      })),
    })),
    prices: presentPrices(PRICES),
  };
  const highlights = (model: AnyModelId, catalogNow = full, only?: TaskId) =>
    modelOffers(catalogNow, only ? { task: only } : {}).find((each) => each.model === model)?.highlights;
  // Its price is the lowest for new images and the second-highest for edits.
  expect(highlights('imgmodel-a-2.5-flare')).toEqual(['Quality: Low to Max']);
  expect(highlights('imgmodel-a-2.5-flare', full, 'image.create')?.[0]).toBe('Lowest price of 7');
  expect(highlights('vidmodel-c-2.5')).toEqual(['The only model for “Edit a video”', 'Longest clips: up to 30 s']);
  expect(highlights('lipsync-v3')).toEqual(['The only model for “Lip sync”']);

  const without = {
    ...full,
    models: full.models.map((each) => ({ ...each, available: each.id !== 'vidmodel-c-2.5' })),
  };
  expect(highlights('vidmodel-c-2', without)?.[0]).toBe('Largest size: 4K');
  expect(highlights('vidmodel-c-2-fast', without, 'video.create')).toEqual(['Clips with sound']);
});

describe('describeInputs', () => {
  it('describes the limits of every field', () => {
    const { rows, rules } = describeInputs(contract('video.create', 'omni-video'));
    expect(Object.fromEntries(rows.map(({ label, text }) => [label, text]))).toMatchObject({
      Prompt: 'any length',
      Length: '4, 6 or 8 s',
      'Reference images': 'up to 7 images',
      'Reference video': 'one video, optional',
      Seed: '0 to 2,147,483,647',
    });
    expect(rules[0]).toContain('at most 5 reference images');
    expect(describeInputs(contract('image.edit', 'imgmodel-b-pro')).rows[0]?.text).toBe('1 to 8 images');
  });
});
