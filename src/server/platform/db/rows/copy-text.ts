/** Rows in the text format of COPY: a line for each, fields separated by tabs, `\N` for null. */
export function encodeCopyLine(fields: readonly (string | null)[]): string {
  return `${fields.map((field) => (field === null ? String.raw`\N` : escapeField(field))).join('\t')}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
};
const UNESCAPED = new Map(Object.entries(ESCAPES).map(([character, escape]) => [escape.charAt(1), character]));

const escapeField = (field: string): string =>
  field.replaceAll(/[\\\b\f\n\r\t\v]/g, (character) => ESCAPES[character] ?? character);

/** @throws {SyntaxError} if the text was not written by `encodeCopyLine` */
export function decodeCopyText(text: string, columnCount: number): (string | null)[][] {
  if (!text.endsWith('\n')) throw new SyntaxError('The last line is not complete.');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const fields = line.split('\t').map((field) => (field === String.raw`\N` ? null : unescapeField(field)));
      if (fields.length !== columnCount) throw new SyntaxError(`A line has ${fields.length} fields.`);
      return fields;
    });
}

const unescapeField = (field: string): string =>
  field.includes('\\') ? field.replaceAll(/\\(.)/g, (_escape, name: string) => UNESCAPED.get(name) ?? name) : field;
