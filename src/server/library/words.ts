/** As much of a text as is searched. */
const MOST_TEXT = 20_000;
const MOST_WORD = 60;
/** Of what somebody types. */
const MOST_ASKED = 20;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that are written without spaces: two characters in a row are their words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
/** `IMG2034`, `myHoliday`. */
const SEAM = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/**
 * The words that a text is found by, as a `tsvector`. They are told apart here rather than by the database, which does
 * it by its locale.
 */
export function wordsOf(text: string): string {
  const found = new Set<string>();
  for (const run of runsOf(text)) {
    for (const part of run.split(SEAM)) for (const word of spacedOf(plain(part))) found.add(word);
    for (const word of spacedOf(plain(run))) found.add(word);
    for (const pair of pairsOf(plain(run), true)) found.add(pair);
  }
  return [...found].map(quoted).join(' ');
}

/**
 * What finds texts that have every word of this one, each at the start of a word there, as a `tsquery`.
 * @returns null where the text has no word, and so nothing can have it
 */
export function wordsAsked(text: string): string | null {
  const asked = runsOf(text).flatMap((run) => [...spacedOf(plain(run)), ...pairsOf(plain(run), false)]);
  const some = [...new Set(asked)].slice(0, MOST_ASKED);
  return some.length === 0 ? null : some.map((word) => `${quoted(word)}:*`).join(' & ');
}

const runsOf = (text: string): string[] =>
  text.toWellFormed().slice(0, MOST_TEXT).toWellFormed().normalize('NFKC').match(WORD) ?? [];

/** Whatever its case and accents. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC');

const spacedOf = (run: string): string[] =>
  run.split(UNSPACED).flatMap((word) => (word === '' ? [] : [[...word].slice(0, MOST_WORD).join('')]));

function pairsOf(run: string, with_last: boolean): string[] {
  return (run.match(UNSPACED) ?? []).flatMap((word) => {
    const signs = [...word];
    const pairs = signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
    const last = with_last || pairs.length === 0 ? signs.slice(-1) : [];
    return [...pairs, ...last];
  });
}

/** Letters, digits and marks only: nothing in it needs escaping. */
const quoted = (word: string) => `'${word}'`;
