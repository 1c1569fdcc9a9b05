import { expect, it } from 'vitest';
import { readJson } from './read-json.ts';

it('reads an object', () => {
  expect(readJson('{ "a": 1 }')).toEqual({ ok: true, value: { a: 1 } });
});

it.each([
  ['{\n "a": 1,\n "b": x\n}', /line 3/],
  ['', /nothing is written|end/],
  ['[1]', /object/],
  ['"text"', /object/],
])('says what is wrong with %j', (text, reason) => {
  const read = readJson(text);
  expect(read.ok ? '' : read.message).toMatch(reason);
});
