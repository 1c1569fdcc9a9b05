import { describe, expect, it } from 'vitest';
import type { PresetModel, ProviderPreset } from '#contract/resources/provider-preset.ts';
import type { Provider } from '#contract/resources/provider.ts';
import { countLosses, defaultChoices, modelKey, toModelChoices, typicalPrice } from './model-choice.ts';

const model = (changes: Partial<PresetModel>, cost_usd: string, price_usd: string): PresetModel => ({
  task: 'image.create',
  model: 'imgmodel-a-2',
  provider_model: 'flux',
  display: { name: 'Flux', maker: 'BFL', description: 'Images.', capabilities: [], max_seconds: null },
  price: { unit: 'image', unit_price_usd: cost_usd, read_on: '2026-11-22', source: 'https://example.com', note: null },
  typical: { description: 'image', cost_usd, price_usd, margin_usd: '0.00' },
  restrictions: [],
  used_by: null,
  runs_on: null,
  ...changes,
});
const preset = (models: PresetModel[], changes: Partial<ProviderPreset> = {}): ProviderPreset => ({
  object: 'provider_preset',
  id: 'fal',
  name: 'fal',
  description: '',
  key: 'required',
  key_url: null,
  adds_models: false,
  terms_url: null,
  address: null,
  environment_key: null,
  model_setting: null,
  models,
  visible_watermark: false,
  text_model: null,
  ...changes,
});
const CHEAP = model({}, '0.02', '0.03');
const DEAR = model({ model: 'imgmodel-b-2' }, '0.08', '0.04');

describe('the models of a new connection', () => {
  it('are all selected, without those that another provider runs', () => {
    const choices = defaultChoices(preset([CHEAP, { ...DEAR, used_by: 'OpenAI' }]));
    expect(choices.selected).toEqual({ [modelKey(CHEAP)]: true, [modelKey(DEAR)]: false });
    expect(choices.pricing).toBe('keep');
  });

  it('start with the provider’s price if the current price is below cost', () => {
    expect(defaultChoices(preset([CHEAP, DEAR]))).toMatchObject({ pricing: 'markup', markup_percent: 20 });
  });

  it('are not selected while each needs a setting', () => {
    expect(defaultChoices(preset([CHEAP], { model_setting: 'model' })).selected).toEqual({ [modelKey(CHEAP)]: false });
  });
});

describe('prices of the form', () => {
  it('follow the markup, rounded up', () => {
    const price = typicalPrice(model({}, '0.000003', '0.01'), { pricing: 'markup', markup_percent: 20 });
    expect(price).toEqual({ price_usd: '0.000004', margin_usd: '0.000001', isLoss: false });
  });

  it('count selected models that lose money', () => {
    const both = preset([CHEAP, DEAR]);
    const choices = { ...defaultChoices(both), pricing: 'keep' as const };
    expect(countLosses(both, choices)).toBe(1);
    expect(countLosses(both, { ...choices, selected: { [modelKey(CHEAP)]: true } })).toBe(0);
    expect(countLosses(both, { ...choices, pricing: 'markup' })).toBe(0);
  });
});

it('keeps what was chosen when a connection is changed', () => {
  const custom = preset([CHEAP, DEAR], { model_setting: 'model' });
  const provider = {
    models: [{ task: 'image.create', model: 'imgmodel-b-2', provider_model: 'own', markup_percent: 35 }],
  } as Provider;
  const choices = defaultChoices(custom, provider);
  expect(toModelChoices(custom, choices)).toEqual([
    { task: 'image.create', model: 'imgmodel-b-2', markup_percent: 35, provider_model: 'own' },
  ]);
});
