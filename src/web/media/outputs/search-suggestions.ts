const STOP_WORDS = new Set('a an and at by for from how in is of on or the to what with your'.split(' '));
const MAX_SUGGESTIONS = 5;

/** Other words for a search without results: fewer of them, each alone, and two as one, as in tags. */
export function suggestSearches(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const kept = words.filter((word) => !STOP_WORDS.has(word));
  const singular = kept.map((word) => (/[^sui]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word));
  const [first, second] = kept;
  const suggestions = [
    kept.slice(0, -1).join(' '),
    kept.join(' '),
    singular.join(' '),
    first && second && kept.length === 2 ? first + second : '',
    ...singular,
  ];
  return [...new Set(suggestions)]
    .filter((text) => text !== '' && text !== query.trim().toLowerCase())
    .slice(0, MAX_SUGGESTIONS);
}
