import { describe, expect, it } from 'vitest';
import { readMetadata } from './read-metadata.ts';

const readTags = (tags: string) => readMetadata({ 'x-emulsion-tags': tags });

describe('tags in a header', () => {
  it.each([
    ['client=acme', { client: 'acme' }],
    [' client = acme , project=autumn%20sale', { client: 'acme', project: 'autumn sale' }],
    ['formula=a=b', { formula: 'a=b' }],
    ['client=', { client: '' }],
    ['client=100%', { client: '100%' }],
  ])('%s', (header, tags) => {
    expect(readTags(header)).toEqual(tags);
  });

  it.each(['', 'client', '=acme', ' = acme', 'client=acme,'])('without a name are refused: “%s”', (header) => {
    expect(() => readTags(header)).toThrow('X-Emulsion-Tags must be like');
  });

  // The pattern that read them once took minutes for these.
  it('of 15,000 characters are read at once', () => {
    const blanks = ' '.repeat(7_500);
    for (const hostile of [blanks + blanks, `a${blanks}${blanks}`, `,${blanks}a${blanks}b`, '\t'.repeat(15_000)])
      expect(() => readTags(hostile)).toThrow('X-Emulsion-Tags must be like');
    expect(readTags(`a${blanks}=${blanks}b`)).toEqual({ a: 'b' });
    expect(readTags(`a=b${blanks}${blanks}c`)).toEqual({ a: `b${blanks}${blanks}c` });
    expect(readTags('='.repeat(15_000).replace('', 'a'))).toEqual({ a: '='.repeat(14_999) });
  });
});
