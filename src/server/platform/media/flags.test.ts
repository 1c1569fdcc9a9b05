import { expect, it } from 'vitest';
import { flags } from './flags.ts';

it('splits a line into words', () => {
  expect(flags('-c:v libx264  -crf 18')).toEqual(['-c:v', 'libx264', '-crf', '18']);
});

it('keeps a value as one word, whatever it contains', () => {
  const file = '/a b/-i "c" $d.mp4';
  expect(flags`-t ${2.5} -i file:${file}.tmp ${''}`).toEqual(['-t', '2.5', '-i', `file:${file}.tmp`, '']);
});

it('treats each item of a list as a word', () => {
  expect(flags`a ${['b c', 'd']} ${[]} e`).toEqual(['a', 'b c', 'd', 'e']);
});
