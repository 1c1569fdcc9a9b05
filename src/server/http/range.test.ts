import { expect, it } from 'vitest';
import { parseRange } from './range.ts';

const file = { size_bytes: 100, etag: '"a"', 'last-modified': 'Sun, 01 Mar 2026 10:00:00 GMT' };

it.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=0-1000', { start: 0, end: 99 }],
  ['bytes=99-99', { start: 99, end: 99 }],
])('%s selects a range', (range, part) => {
  expect(parseRange({ range }, file)).toEqual(part);
});

it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s is not satisfiable', (range) => {
  expect(parseRange({ range }, file)).toBe('unsatisfiable');
});

it.each([undefined, '', 'bytes=-', 'bytes=9-3', 'bytes=0-1,5-6', 'items=0-1', 'bytes=a-b', 'bytes=1-2x'])(
  '%s selects the whole file',
  (range) => {
    expect(parseRange({ range }, file)).toBeNull();
  },
);

it('applies only to the version named by If-Range', () => {
  const range = 'bytes=0-9';
  expect(parseRange({ range, 'if-range': '"a"' }, file)).toEqual({ start: 0, end: 9 });
  expect(parseRange({ range, 'if-range': file['last-modified'] }, file)).toEqual({ start: 0, end: 9 });
  expect(parseRange({ range, 'if-range': '"b"' }, file)).toBeNull();
});
