/** What is kept while the page is, from one opened medium to the next. */
interface Kept {
  /** Whether the details stand beside it; unset: as there is room. */
  details: boolean | undefined;
}

const kept: Kept = { details: undefined };

export const readKept = (): Readonly<Kept> => kept;
export const keep = (part: Partial<Kept>): void => void Object.assign(kept, part);
