import { expect, test } from 'vitest';
import type { Command } from '#web/ui/hooks/commands.ts';
import { findCommands } from './find-commands.ts';

const run = () => undefined;
const commands: Command[] = [
  { group: 'Go to', label: 'Create', run },
  { group: 'Go to', label: 'Generations', run },
  { group: 'Go to', label: 'Models & prices', run },
  { group: 'Theme', label: 'Dark theme', run },
];
const trim: Command = { group: 'Create', label: 'Shorten a video', words: 'trim cut Lip sync', run };
const labels = (text: string) => findCommands(commands, text).map(({ label }) => label);

test('returns every command in order without a text', () => {
  expect(labels('  ')).toEqual(['Create', 'Generations', 'Models & prices', 'Dark theme']);
});

test('ranks the beginning of a word before its middle', () => {
  expect(labels('e')).toEqual(['Create', 'Generations', 'Models & prices', 'Dark theme']);
  expect(labels('pr')).toEqual(['Models & prices']);
  expect(labels('g')[0]).toBe('Generations');
});

test('requires every word in the label or its group', () => {
  expect(labels('theme dark')).toEqual(['Dark theme']);
  expect(labels('go cre')).toEqual(['Create']);
  expect(labels('create dark')).toEqual([]);
});

test('finds the beginnings of further words, after the labels', () => {
  const find = (text: string) => findCommands([trim, ...commands], text).map(({ label }) => label);
  expect(find('trim')).toEqual(['Shorten a video']);
  expect(find('lip sync')).toEqual(['Shorten a video']);
  expect(find('rim')).toEqual([]);
  expect(find('c')[0]).toBe('Create');
});
