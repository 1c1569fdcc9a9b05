import { describe, expect, it } from 'vitest';
import { defaultTextModel } from './text-model-values.ts';
import { toTextModel } from './to-text-model.ts';

const SUGGESTION = {
  model: 'gpt-6-luna',
  input_usd_per_million: '0.10',
  output_usd_per_million: '0.50',
  read_on: '2026-11-23',
  source: 'https://example.com',
};
const CHOSEN = {
  model: 'other',
  input_usd_per_million: '1.00',
  output_usd_per_million: '2.00',
  daily_limit_usd: '3.00',
};
const UNUSED = { is_used: false, today: { count: 0, cost_usd: '0.00' }, this_month: { count: 0, cost_usd: '0.00' } };

describe('the text model of a form', () => {
  it('is off for a new connection, with the suggestion at hand', () => {
    const values = defaultTextModel({ text_model: { suggestion: SUGGESTION } });
    expect(values).toMatchObject({ enabled: false, model: 'gpt-6-luna', daily_limit_usd: '1' });
    expect(toTextModel(values)).toBeNull();
  });

  it('is the one of an existing connection', () => {
    const values = defaultTextModel(
      { text_model: { suggestion: SUGGESTION } },
      { text_model: { ...CHOSEN, ...UNUSED } },
    );
    expect(toTextModel(values)).toEqual(CHOSEN);
  });

  it('is sent with plain amounts', () => {
    const values = {
      ...CHOSEN,
      enabled: true,
      model: ' qwen3:8b ',
      input_usd_per_million: '$0',
      daily_limit_usd: '1,000',
    };
    expect(toTextModel(values)).toMatchObject({
      model: 'qwen3:8b',
      input_usd_per_million: '0',
      daily_limit_usd: '1000',
    });
  });
});
