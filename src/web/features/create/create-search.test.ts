import { expect, it } from 'vitest';
import { parseCreateSearch } from './create-search.ts';

it('reads one source of a prefill and ignores invalid parameters', () => {
  expect(parseCreateSearch({ from: 'gen_1', use: 'gen_2' })).toEqual({ from: 'gen_1' });
  expect(parseCreateSearch({ use: 'gen_2', asset: 3 })).toEqual({ use: 'gen_2', asset: 3 });
  expect(parseCreateSearch({ use: 'gen_2', asset: '3' })).toEqual({ use: 'gen_2', asset: 3 });
  expect(parseCreateSearch({ use: 'gen_2', asset: -1 })).toEqual({ use: 'gen_2' });
  expect(parseCreateSearch({ from: '../etc', asset: 2 })).toEqual({});
  expect(parseCreateSearch({ use: 'gen_2', asset: 0 })).toEqual({ use: 'gen_2' });
  expect(parseCreateSearch({ use: 'gen_2', post: 0 })).toEqual({ use: 'gen_2', post: 0 });
  expect(parseCreateSearch({ use: 'gen_2', post: '1.5' })).toEqual({ use: 'gen_2' });
  expect(parseCreateSearch({ use: '../x', post: 0 })).toEqual({});
  expect(parseCreateSearch({ preset: 'pst_1', use: 'gen_2' })).toEqual({ preset: 'pst_1' });
  const media = [`ast_${'0'.repeat(26)}`, `upl_${'1'.repeat(26)}`].join();
  expect(parseCreateSearch({ media })).toEqual({ media });
  expect(parseCreateSearch({ media: `${media},x`, use: 'gen_2' })).toEqual({ use: 'gen_2' });
  expect(parseCreateSearch({ use: 'gen_2', fields: 'first_frame,prompt' })).toEqual({
    use: 'gen_2',
    fields: 'first_frame,prompt',
  });
  expect(parseCreateSearch({ media, frame: 'last', fields: '<b>' })).toEqual({ media, frame: 'last' });
  expect(parseCreateSearch({ fields: 'prompt' })).toEqual({});
  expect(parseCreateSearch({ from: 'gen_1', query: 'boats' })).toEqual({ from: 'gen_1', query: 'boats' });
  expect(parseCreateSearch({ from: 'gen_1', query: 'b'.repeat(201) })).toEqual({ from: 'gen_1' });
});

it('keeps the two files of a comparison, and nothing else', () => {
  const compare = `ast_${'0'.repeat(26)},upl_${'1'.repeat(26)}`;
  expect(parseCreateSearch({ compare })).toEqual({ compare });
  expect(parseCreateSearch({ compare: `ast_${'0'.repeat(26)}` })).toEqual({});
});
