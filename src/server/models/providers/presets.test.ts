import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { MODEL_IDS } from '#contract/ids.ts';
import { parseUsd } from '#contract/money/money.ts';
import { parseMultipliers } from '#contract/money/pricing.ts';
import { PROVIDER_IDS } from '#contract/providers.ts';
import { fieldDefault, satisfiesRule } from '#contract/task.ts';
import { PRESETS } from './presets.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/providers.md'), 'utf8');

it('every provider of the contract has one preset and a section in the guide', () => {
  expect(PRESETS.map(({ id }) => id).sort()).toEqual([...PROVIDER_IDS].sort());
  expect(PRESETS.filter(({ name }) => !guide.includes(`## ${name}\n`)).map(({ name }) => name)).toEqual([]);
});

it('every catalog model has a provider, and fal runs each of them', () => {
  const modelsOf = (id?: string) =>
    new Set(
      PRESETS.filter((preset) => id === undefined || preset.id === id).flatMap(({ models }) =>
        models.map(({ model }) => model),
      ),
    );
  expect(MODEL_IDS.filter((model) => !modelsOf().has(model))).toEqual([]);
  expect(MODEL_IDS.filter((model) => !modelsOf('fal').has(model))).toEqual([]);
});

it('models that tell their jobs apart by a seed say so', () => {
  const seeded = all.filter(({ entry }) => entry.own_names?.includes('seed')).map(({ name }) => name);
  expect(seeded).toEqual(
    expect.arrayContaining(['fal image.create imgmodel-b-2', 'replicate video.create vidmodel-c-2']),
  );
});

const all = PRESETS.flatMap((preset) =>
  preset.models.map((entry) => ({ name: `${preset.id} ${entry.task} ${entry.model}`, preset, entry })),
);

describe.each(all)('$name', ({ preset, entry }) => {
  const contract = inputContract(entry.task, entry.model);
  const fields = contract?.fields ?? [];

  it('is listed once and exists in the catalog', () => {
    expect(contract).toBeDefined();
    expect(preset.models.filter(({ task, model }) => task === entry.task && model === entry.model)).toHaveLength(1);
  });

  it('restricts only fields and options that exist', () => {
    const names = fields.map(({ name }) => name);
    for (const rule of entry.restrictions) {
      expect(names).toContain(rule.field);
      expect(names).toContain(rule.when.field);
      expect(rule.message).toMatch(/^[A-Z“a-z].*\.$/);
    }
  });

  it('offers no field whose name its requests set by themselves', () => {
    const ignored = fields.filter(
      ({ name }) =>
        entry.own_names?.includes(name) &&
        !entry.restrictions.some(
          (rule) => rule.field === name && 'allow' in rule && rule.allow.every((value) => value === null),
        ),
    );
    expect(ignored.map(({ name }) => name)).toEqual([]);
  });

  it('accepts the form as it opens', () => {
    const input = Object.fromEntries(
      fields.map((field) => [field.name, fieldDefault(field) ?? (field.kind === 'text' ? 'A pear' : null)]),
    );
    const broken = entry.restrictions.filter((rule) => !satisfiesRule(rule, input));
    expect(broken.map(({ message }) => message)).toEqual([]);
  });

  it('has a price with its source and date', () => {
    const { price } = entry;
    expect(price.read_on).toMatch(/^2026-1[012]-\d\d$/);
    expect(price.source).not.toBe('');
    expect(parseUsd(price.unit_price_usd)).toBeGreaterThanOrEqual(0n);
    const options = Object.entries(parseMultipliers(price.multipliers ?? {}));
    for (const [name, factors] of options) {
      const field = fields.find((each) => each.name === name);
      const known = field?.kind === 'choice' ? field.options.map(String) : ['true', 'false'];
      expect(known).toEqual(expect.arrayContaining(Object.keys(factors)));
    }
  });
});
