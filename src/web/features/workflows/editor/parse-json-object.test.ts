import { expect, it } from 'vitest';
import { parseJsonObject } from './parse-json-object.ts';

it('reads an object', () => {
  expect(parseJsonObject('{ "a": [1, -2.5e3, "x\\u00e4\\"", null, true, {}] }')).toMatchObject({ ok: true });
});

it.each([
  ['{\n "a": 1,\n "b": x\n}', 'line 3, at “x”'],
  ['{\n "a": 1\n "b": 2\n}', 'line 3, at “"b": 2”'],
  ['{ "a": [1, 2,] }', 'line 1, at “] }”'],
  ['{ "a": 01 }', 'line 1, at “1 }”'],
  ["{ 'a': 1 }", "line 1, at “'a': 1 }”"],
  ['{} {}', 'line 1, at “{}”'],
  ['{ "a": "two\nlines" }', 'line 1, at “"two”'],
  ['{ "a": ', 'missing at the end'],
  ['{ "a": 1', 'missing at the end'],
  ['', 'missing at the end'],
  ['[1]', 'A starter is a JSON object'],
  ['"text"', 'A starter is a JSON object'],
])('says what is wrong with %j', (text, reason) => {
  const read = parseJsonObject(text);
  expect(read.ok ? '' : read.message).toContain(reason);
});
