import { expect, it } from 'vitest';
import { formatCsvRecord } from './csv.ts';

it('quotes every text cell, and no number', () => {
  expect(formatCsvRecord(['Pears', 'x;=1+1;', 'He said "no"', '-0.50', 7, 12n, null])).toBe(
    '"Pears","x;=1+1;","He said ""no""",-0.50,7,12,\r\n',
  );
});

it.each([
  ['=1+1'],
  ['+1+1'],
  ['-1+1'],
  ['@SUM(A1)'],
  ['＝1+1'],
  ['﹦1+1'],
  ['\tx'],
  ['\r\n=1'],
  ['  =1+1'],
  ['\u00a0=1+1'],
  ['\u3000=1+1'],
  ['\u200b=1+1'],
  ['\ufeff=1+1'],
  ['\u00ad=1+1'],
  ['\u202e=1+1'],
  ['\u2066=1+1'],
  ['\u2060 \u200d\u180e=1+1'],
  ['\u115f\u3164\u2800=1+1'],
  ['\u{e0001}\u{e0020}=1+1'],
  ['\u0001=1+1'],
  ["'=1+1"],
  ["' \u200b'=1+1"],
])('puts an apostrophe before %j, which a spreadsheet may run', (text) => {
  expect(formatCsvRecord([text])).toBe(`"'${text}"\r\n`);
});

it.each([['x=1'], ['a - b'], ["'quoted' text"], ['\u200bx'], ['👩‍🚀 lands'], [' ']])('leaves %j as it is', (text) => {
  expect(formatCsvRecord([text])).toBe(`"${text}"\r\n`);
});
