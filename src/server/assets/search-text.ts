/** As much of a text as is searched. */
const MAX_INDEXED_CHARACTERS = 20_000;
const MAX_WORD_CHARACTERS = 60;
/** Of what somebody types. */
const MAX_QUERY_WORDS = 20;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that are written without spaces: two characters in a row are their words. */
const UNSPACED_SCRIPTS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
/** `IMG2034`, `myHoliday`. */
const WORD_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/**
 * The words that a text is found by, as a `tsvector`. They are told apart here rather than by the database, which does
 * it by its locale.
 */
export function toSearchVector(text: string): string {
  const found = new Set<string>();
  for (const run of splitRuns(text)) {
    for (const part of run.split(WORD_BOUNDARY)) for (const word of splitSpacedWords(foldCase(part))) found.add(word);
    for (const word of splitSpacedWords(foldCase(run))) found.add(word);
    for (const pair of characterPairs(foldCase(run), true)) found.add(pair);
  }
  return [...found].map(quoteLexeme).join(' ');
}

/**
 * What finds texts that have every word of this one, each at the start of a word there, as a `tsquery`.
 * @returns null where the text has no word, and so nothing can have it
 */
export function toSearchQuery(text: string): string | null {
  const asked = splitRuns(text).flatMap((run) => [
    ...splitSpacedWords(foldCase(run)),
    ...characterPairs(foldCase(run), false),
  ]);
  const some = [...new Set(asked)].slice(0, MAX_QUERY_WORDS);
  return some.length === 0 ? null : some.map((word) => `${quoteLexeme(word)}:*`).join(' & ');
}

const splitRuns = (text: string): string[] =>
  text.toWellFormed().slice(0, MAX_INDEXED_CHARACTERS).toWellFormed().normalize('NFKC').match(WORD) ?? [];

/** Whatever its case and accents. */
const foldCase = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC');

const splitSpacedWords = (run: string): string[] =>
  run
    .split(UNSPACED_SCRIPTS)
    .flatMap((word) => (word === '' ? [] : [[...word].slice(0, MAX_WORD_CHARACTERS).join('')]));

function characterPairs(run: string, with_last: boolean): string[] {
  return (run.match(UNSPACED_SCRIPTS) ?? []).flatMap((word) => {
    const signs = [...word];
    const pairs = signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
    const last = with_last || pairs.length === 0 ? signs.slice(-1) : [];
    return [...pairs, ...last];
  });
}

/** Letters, digits and marks only: nothing in it needs escaping. */
const quoteLexeme = (word: string) => `'${word}'`;
