import { describe, expect, it } from 'vitest';
import { normalizeFal } from '#contract/added-models/provider-schemas.ts';
import { validateAdvanced } from './validate-advanced.ts';

const document = (properties: object, required: string[] = []) => ({
  paths: {
    '/acme/loops': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties, required } } },
        },
      },
    },
  },
});

const advancedOf = async (properties: object, required: string[] = []) => {
  const { advanced } = await normalizeFal(document(properties, required));
  if (!advanced) throw new Error('The model has no Advanced field.');
  return advanced;
};

const plan = {
  type: 'object',
  nullable: true,
  properties: {
    sections: {
      type: 'array',
      maxItems: 2,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 5, pattern: '^(a+)+$', format: 'email' },
          seconds: { type: 'number', exclusiveMinimum: 0, default: 4 },
          mood: { enum: ['calm', 'loud'] },
        },
        required: ['name'],
      },
    },
  },
};

describe('validateAdvanced', () => {
  it('enforces types, bounds, options and required properties of the provider’s schema', async () => {
    const advanced = await advancedOf({ plan });
    expect(validateAdvanced(advanced, { plan: { sections: [{ name: 'intro', seconds: 3, mood: 'calm' }] } })).toEqual(
      [],
    );
    expect(validateAdvanced(advanced, { plan: null })).toEqual([]);
    const wrong = { plan: { sections: [{ name: 'prelude', seconds: 0, mood: 'odd' }, {}] } };
    const paths = validateAdvanced(advanced, wrong).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'input.advanced.plan.sections.0.name',
        'input.advanced.plan.sections.0.seconds',
        'input.advanced.plan.sections.0.mood',
        'input.advanced.plan.sections.1.name',
      ]),
    );
    expect(validateAdvanced(advanced, { other: 1 })).toHaveLength(1);
    expect(validateAdvanced(advanced, 'text')).toHaveLength(1);
  });

  it('runs no pattern and no format of the schema', async () => {
    const advanced = await advancedOf({ plan });
    expect(JSON.stringify(advanced.json_schema)).not.toContain('(a+)+');
    expect(validateAdvanced(advanced, { plan: { sections: [{ name: 'b' }] } })).toEqual([]);
  });

  it.each([{ type: 5 }, { type: 'strng' }, { type: ['string', 5] }, { type: {} }, { type: null }])(
    'checks the names alone where the schema is %j',
    async (schema) => {
      const advanced = await advancedOf({ odd: { anyOf: [schema, { type: 'array' }] }, plan });
      expect(validateAdvanced(advanced, { odd: 1 })).toEqual([]);
      expect(validateAdvanced(advanced, { other: 1 })).toHaveLength(1);
    },
  );

  it('reads no inherited property', async () => {
    const advanced = await advancedOf({ toString: { type: 'strng' }, valueOf: {}, plan });
    expect(validateAdvanced(advanced, {})).toEqual([]);
    expect(validateAdvanced(advanced, { plan: { sections: [{ name: 'b' }] } })).toEqual([]);
  });

  it('demands a value where an input that no field shows is required', async () => {
    const advanced = await advancedOf(
      { tracks: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
      ['tracks'],
    );
    expect(validateAdvanced(advanced, null)).toEqual([{ path: 'input.advanced', message: 'Advanced is required.' }]);
    expect(validateAdvanced(advanced, {})).toHaveLength(1);
    expect(validateAdvanced(advanced, { tracks: [[1, 2], [3]] })).toEqual([]);
    expect(validateAdvanced(advanced, { tracks: [['1']] })).toHaveLength(1);
  });

  it('rejects values that are too large or too deep', async () => {
    const advanced = await advancedOf({ anything: {} });
    const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 1);
    expect(validateAdvanced(advanced, { anything: deep })).toHaveLength(1);
    expect(validateAdvanced(advanced, { anything: Array.from({ length: 3_000 }, () => 1) })).toHaveLength(1);
    expect(validateAdvanced(advanced, { anything: { any: ['thing'] } })).toEqual([]);
  });
});
