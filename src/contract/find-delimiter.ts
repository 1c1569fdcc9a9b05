export const UNIT_SEPARATOR = '\u001f';
/** The first one that fits wins: commas come last because texts contain them. */
export const DELIMITERS = ['\t', ';', '|', ','];

/** Returns the separator that splits most rows into as many values as the first one; none for a file of one column. */
export function findDelimiter(
  parse: (delimiter: string) => { data: string[][]; errors: readonly { type: string }[] },
): string {
  const candidates = DELIMITERS.map((delimiter) => {
    const { data, errors } = parse(delimiter);
    const rows = data.filter((cells) => cells.some((cell) => cell.trim() !== ''));
    const width = rows[0]?.length ?? 0;
    const isUsable = width > 1 && !errors.some(({ type }) => type === 'Quotes');
    return { delimiter, share: isUsable ? rows.filter(({ length }) => length === width).length / rows.length : 0 };
  });
  const share = Math.max(...candidates.map((each) => each.share));
  return candidates.find((each) => each.share === share && share >= 0.5)?.delimiter ?? UNIT_SEPARATOR;
}
