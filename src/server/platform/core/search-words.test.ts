import { describe, expect, it } from 'vitest';
import { toSearchQuery, toSearchVector } from './search-words.ts';

const words = (text: string) => [...toSearchVector(text).matchAll(/'([^']*)'/g)].map(([, word]) => word).sort();

describe('search vector', () => {
  it.each([
    ['A red Fox, red as rust!', ['a', 'as', 'fox', 'red', 'rust']],
    ['Früh ÉTÉ ﬁn', ['ete', 'fin', 'fruh']],
    ['IMG_2034.JPG', ['2034', 'img', 'jpg']],
    ['DSC01234 myHoliday', ['01234', 'dsc', 'dsc01234', 'holiday', 'my', 'myholiday']],
    ['猫が好き', ['が好', 'き', '好き', '猫が']],
    ['4K動画', ['4', '4k', 'k', '動画', '画']],
    ['한국어 नमस्ते', ['नमस्ते', '한국어']],
    [`'; drop -- \\ | & ! ( ) <-> :* "`, ['drop']],
    ['hero★ 🎬', ['hero', '★', '🎬']],
    ['\ud800\u0000…', []],
  ])('%j', (text, found) => {
    expect(words(text)).toEqual([...found].sort());
  });

  it('truncates very long words and still finds them', () => {
    expect(words('x'.repeat(10_000))).toEqual(['x'.repeat(60)]);
    expect(toSearchQuery('x'.repeat(10_000))).toBe(`'${'x'.repeat(60)}':*`);
  });

  it('indexes only the first 20,000 characters', () => {
    const text = 'lighthouse '.repeat(1_818);
    expect(text.length).toBe(19_998);
    expect(toSearchVector(`${text}a zebra`)).toBe(toSearchVector(`${text}a`));
    expect(toSearchVector('漢字'.repeat(500_000))).toBe(toSearchVector('漢字'.repeat(10_000)));
  });
});

describe('search query', () => {
  it.each([
    ['red  Fox', `'red':* & 'fox':*`],
    ['red red', `'red':*`],
    ['猫', `'猫':*`],
    ['好き', `'好き':*`],
    ['猫が好', `'猫が':* & 'が好':*`],
    ["fox' | 'x:*", `'fox':* & 'x':*`],
    ['…', null],
    ['', null],
  ])('%j is %j', (text, query) => {
    expect(toSearchQuery(text)).toBe(query);
  });

  it('uses at most twenty words', () => {
    expect(toSearchQuery(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' '))?.split(' & ')).toHaveLength(
      20,
    );
  });
});
