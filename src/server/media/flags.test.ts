import { expect, it } from 'vitest';
import { flags } from './flags.ts';

it('splits a line into arguments', () => {
  expect(flags('-c:v libx264  -crf 18')).toEqual(['-c:v', 'libx264', '-crf', '18']);
});

it('does not split values', () => {
  const file = '/a b/-i "c" $d.mp4';
  expect(flags`-t ${2.5} -i file:${file}.tmp ${''}`).toEqual(['-t', '2.5', '-i', `file:${file}.tmp`, '']);
});

it('passes each item of a list as an argument', () => {
  expect(flags`a ${['b c', 'd']} ${[]} e`).toEqual(['a', 'b c', 'd', 'e']);
});
