const MAX_INDEXED_CHARACTERS = 20_000;
const MAX_WORD_CHARACTERS = 60;
const MAX_QUERY_WORDS = 20;

/** A symbol is a word of its own. */
const WORD = /[\p{L}\p{N}\p{M}]+|(?!\ufffd)\p{So}/gu;
/** Scripts without spaces are indexed by pairs of characters. */
const UNSPACED_SCRIPTS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
/** Splits `IMG2034` and `myHoliday`. */
const WORD_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** The words of a text as a `tsvector`. The text is split here because the database splits it by its locale. */
export function toSearchVector(text: string): string {
  const words = new Set<string>();
  for (const run of splitRuns(text)) {
    for (const part of run.split(WORD_BOUNDARY)) for (const word of splitSpacedWords(foldCase(part))) words.add(word);
    for (const word of splitSpacedWords(foldCase(run))) words.add(word);
    for (const pair of characterPairs(foldCase(run), true)) words.add(pair);
  }
  return [...words].map(quoteLexeme).join(' ');
}

/** Matches texts with every word of this one, each as a prefix; null for a text without words. */
export function toSearchQuery(text: string): string | null {
  const words = queryWords(text);
  return words.length === 0 ? null : words.map((word) => `${quoteLexeme(word)}:*`).join(' & ');
}

/** Whether a short text has every word of another, each as the start of a word, as `toSearchQuery` matches. */
export function hasAllWords(text: string, query: string): boolean {
  const words = toSearchVector(text).slice(1, -1).split("' '");
  const sought = queryWords(query);
  return sought.length > 0 && sought.every((start) => words.some((word) => word.startsWith(start)));
}

function queryWords(text: string): string[] {
  const words = splitRuns(text).flatMap((run) => [
    ...splitSpacedWords(foldCase(run)),
    ...characterPairs(foldCase(run), false),
  ]);
  return [...new Set(words)].slice(0, MAX_QUERY_WORDS);
}

const splitRuns = (text: string): string[] =>
  text.toWellFormed().slice(0, MAX_INDEXED_CHARACTERS).toWellFormed().normalize('NFKC').match(WORD) ?? [];

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

function characterPairs(run: string, withLast: boolean): string[] {
  return (run.match(UNSPACED_SCRIPTS) ?? []).flatMap((word) => {
    const characters = [...word];
    const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
    const last = withLast || pairs.length === 0 ? characters.slice(-1) : [];
    return [...pairs, ...last];
  });
}

/** Words hold letters, digits, marks and symbols like ★ only, so nothing needs escaping. */
const quoteLexeme = (word: string) => `'${word}'`;
