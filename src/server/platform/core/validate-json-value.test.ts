import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { validateJsonValue } from './validate-json-value.ts';

it('accepts ordinary values', () => {
  expect(validateJsonValue({ a: [1, 'zwölf', null, { b: true }], c: '😀' })).toEqual([]);
});

it.each([
  [{ a: { b: ['x', 'y\u0000'] } }, 'a.b.1'],
  [{ a: '\ud800' }, 'a'],
  [{ a: Number.POSITIVE_INFINITY }, 'a'],
  [{ 'k\u0000': 1 }, 'k'],
  [JSON.parse('{"__proto__": {"polluted": true}}') as unknown, '__proto__'],
])('returns the path of %j', (value, path) => {
  expect(validateJsonValue(value)).toEqual([{ path, message: expect.stringMatching(/\.$/) as string }]);
});

it('rejects endless nesting', () => {
  const deep: unknown = JSON.parse('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000));
  expect(validateJsonValue(deep)).toHaveLength(1);
});

it('accepts any JSON', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => Array.isArray(validateJsonValue(value))));
});
