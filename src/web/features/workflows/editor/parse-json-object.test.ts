import { expect, it } from 'vitest';
import { parseJsonObject } from './parse-json-object.ts';

it('parses an object', () => {
  expect(parseJsonObject('{ "a": [1, -2.5e3, "x\\u00e4\\"", null, true, {}] }')).toMatchObject({ ok: true });
});

it.each([
  ['{\n "a": 1,\n "b": x\n}', 'line 3, near “x”'],
  ['{\n "a": 1\n "b": 2\n}', 'line 3, near “"b": 2”'],
  ['{ "a": [1, 2,] }', 'line 1, near “] }”'],
  ['{ "a": 01 }', 'line 1, near “1 }”'],
  ["{ 'a': 1 }", "line 1, near “'a': 1 }”"],
  ['{} {}', 'line 1, near “{}”'],
  ['{ "a": "two\nlines" }', 'line 1, near “"two”'],
  ['{ "a": ', 'the end is missing'],
  ['{ "a": 1', 'the end is missing'],
  ['', 'the end is missing'],
  ['[1]', 'A workflow is a JSON object'],
  ['"text"', 'A workflow is a JSON object'],
])('explains what is wrong with %j', (text, reason) => {
  const read = parseJsonObject(text);
  expect(read.ok ? '' : read.message).toContain(reason);
});
