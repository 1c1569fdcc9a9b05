import { describe, expect, it } from 'vitest';
import { satisfiesRule } from '#contract/task.ts';
import { requireContract } from '#contract/testing/input-fixture.ts';
import { estimateCost } from '#server/providers/provider-prices.ts';
import { listInputs, type WalkedInput } from '../testing/preset-walk.ts';
import type { PresetModel } from './preset.ts';
import { PRESETS } from './presets.ts';

/** Without any option: the shortest prompt and the files that the task needs. */
function defaultInput({ task, model }: PresetModel): WalkedInput {
  const [input] = listInputs(task, model);
  return input ?? expect.fail(`${task} on ${model} has no input`);
}

describe.each(PRESETS.map((preset) => [preset.id, preset] as const))('%s', (_id, { models }) => {
  it('has one model per task and catalog model', () => {
    const keys = models.map(({ task, model }) => `${task} ${model}`);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it('restricts fields of the form with a sentence, and never the default input', () => {
    for (const preset_model of models) {
      const { fields } = requireContract(preset_model.task, preset_model.model);
      const names = fields.map(({ name }) => name);
      for (const rule of preset_model.restrictions) {
        expect(names).toEqual(expect.arrayContaining([rule.field, rule.when.field]));
        expect(rule.message).toMatch(/^[A-Z].*\.$/);
        expect(satisfiesRule(rule, defaultInput(preset_model).input)).toBe(true);
      }
    }
  });

  it('prices the options of the form', () => {
    for (const preset_model of models) {
      const { task, model, price } = preset_model;
      const { input } = defaultInput(preset_model);
      const lengths = { video_seconds: 60, audio_seconds: 60 };
      expect(estimateCost(preset_model, input, lengths).amount_micro_usd).toBeGreaterThanOrEqual(0n);
      const { fields } = requireContract(task, model);
      for (const [name, factors] of Object.entries(price.multipliers ?? {})) {
        const field = fields.find((entry) => entry.name === name);
        const options = field && 'options' in field ? field.options.map(String) : [];
        expect(options).toEqual(expect.arrayContaining(Object.keys(factors)));
      }
    }
  });
});
