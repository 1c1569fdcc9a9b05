const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const firstLetter = (word: string): string => graphemes.segment(word)[Symbol.iterator]().next().value?.segment ?? '';

/** Returns the initials of the first and the last word of a name, in capitals: "Ada King-Noel" is "AK". */
export function initialsOf(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/u).filter(Boolean);
  return (firstLetter(first) + firstLetter(rest.at(-1) ?? '')).toLocaleUpperCase();
}
