import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCopyText, encodeCopyLine } from './copy-text.ts';

it('reads back every text, empty ones and nulls', () => {
  const field = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\\N', '\\', '\t', 'a\\\nb\r')));
  const rows = fc.array(fc.tuple(field, field, field), { minLength: 1 });
  fc.assert(
    fc.property(rows, (given) => {
      expect(decodeCopyText(given.map(encodeCopyLine).join(''), 3)).toEqual(given);
    }),
  );
});

it('rejects text that was cut or has another number of fields', () => {
  expect(() => decodeCopyText('a\tb', 2)).toThrow(SyntaxError);
  expect(() => decodeCopyText('a\tb\nc\n', 2)).toThrow(SyntaxError);
});
