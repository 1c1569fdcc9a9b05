/** A file that is no bill; `message` is one sentence for the person who chose it. */
export class BillFileError extends Error {
  override readonly name = 'BillFileError';
}

const MAX_SHOWN_CHARACTERS = 40;

/** A value of the file as a message shows it. */
export const quoteCell = (cell: string): string =>
  `“${cell.length <= MAX_SHOWN_CHARACTERS ? cell : `${cell.slice(0, MAX_SHOWN_CHARACTERS - 1).toWellFormed()}…`}”`;
