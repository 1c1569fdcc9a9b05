import { expect, it } from 'vitest';
import { omitUndefined, parseDay, parseId, parseKey, parseOption, parsePattern, parseText } from './search-params.ts';

it('omits undefined properties and keeps every other value', () => {
  expect(Object.keys(omitUndefined({ a: undefined, b: null, c: 0, d: '', e: false }))).toEqual(['b', 'c', 'd', 'e']);
});

it('reads valid parameters', () => {
  expect(parseOption(['image', 'video'], 'video')).toBe('video');
  expect(parseKey({ upload: 1 }, 'upload')).toBe('upload');
  expect(parsePattern(/^a+$/, 'aaa')).toBe('aaa');
  expect(parseId('gen_01-x')).toBe('gen_01-x');
  expect(parseDay('2026-02-28')).toBe('2026-02-28');
  expect(parseText('  a prompt ')).toBe('a prompt');
  expect(parseText(42)).toBe('42');
});

it('leaves out parameters that are not valid', () => {
  expect(parseOption(['image', 'video'], 'toString')).toBeUndefined();
  expect(parseKey({ upload: 1 }, 'toString')).toBeUndefined();
  expect(parsePattern(/^a+$/, 7)).toBeUndefined();
  expect(parseId('a b')).toBeUndefined();
  expect(parseDay('2026-02-30')).toBeUndefined();
  expect(parseDay(20260228)).toBeUndefined();
  expect(parseText(' ')).toBeUndefined();
  expect(parseText({})).toBeUndefined();
});

it('shortens a long search text', () => {
  expect(parseText('x'.repeat(600))).toHaveLength(500);
});
