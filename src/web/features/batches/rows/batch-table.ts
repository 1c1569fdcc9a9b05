/** Orders as text: a row for each order, a column for each value that differs between them. */
export interface BatchTable {
  columns: readonly string[];
  rows: readonly BatchRow[];
}

export interface BatchRow {
  /** Stays the same while other rows are edited or left out. */
  id: string;
  /** Number of the row in its source, from 1. */
  number: number;
  cells: readonly string[];
}

/** Splits text into prompts, one per line. Blank lines are ignored, but counted in the row numbers. */
export const readPromptLines = (text: string): BatchRow[] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line, at) => {
    const prompt = line.trim();
    return prompt === '' ? [] : [{ id: String(at), number: at + 1, cells: [prompt] }];
  });

/** Replaces the line of a row; null removes it. */
export const replacePromptLine = (text: string, id: string, prompt: string | null): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line, at) => (String(at) === id ? (prompt === null ? [] : [prompt]) : [line]))
    .join('\n');
