import { expect, it } from 'vitest';
import { parseChoiceOptions, formatChoiceOptions } from './choice-options.ts';

const ratio = { enum: ['16:9', '1:1'], 'x-labels': { '16:9': 'Wide' }, default: '1:1' };

it('writes one option per line and reads them back', () => {
  expect(formatChoiceOptions(ratio)).toBe('16:9 = Wide\n1:1');
  expect(parseChoiceOptions(formatChoiceOptions(ratio), ratio)).toEqual({
    type: undefined,
    enum: ['16:9', '1:1'],
    'x-labels': { '16:9': 'Wide' },
  });
});

it('keeps numbers while every option is a number', () => {
  const lengths = { type: 'integer', enum: [4, 8] };
  expect(parseChoiceOptions('4\n8\n12', lengths)).toMatchObject({ type: 'number', enum: [4, 8, 12] });
  expect(parseChoiceOptions('4\nlong', lengths)).toMatchObject({ type: undefined, enum: ['4', 'long'] });
});

it('drops blank lines and duplicates', () => {
  expect(parseChoiceOptions('a\n\n  \na\nb = ', { enum: [] })).toMatchObject({
    enum: ['a', 'b'],
    'x-labels': undefined,
  });
});
