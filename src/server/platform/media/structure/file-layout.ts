export interface Range {
  start: number;
  /** Exclusive. */
  end: number;
}

/** What the parts of a file are for, as far as it matters for what may be in them. */
export interface FileLayout {
  /** Parts that the format has for text and other objects, such as comments, tags and content credentials. */
  metadata: readonly Range[];
  /** Parts that readers skip. */
  fillers: readonly Range[];
  /** Where the media end; null: the format has no end. */
  end: number | null;
  /** A file of this format would run as a script, with the right text after it. */
  allowsOnlyPadding?: boolean;
  /** The length that the file states is a placeholder. */
  isLengthUnknown?: boolean;
}

/** The first and last bytes that are looked at; metadata elsewhere need not be known. */
const WINDOW_BYTES = 65_536;

/** Collects ranges in the order of the file, and joins those that follow each other. */
export class RangeList {
  readonly ranges: Range[] = [];
  readonly #windows: readonly Range[] | null;

  /** @param sizeBytes of the file: keeps only ranges near its start or end */
  constructor(sizeBytes?: number) {
    this.#windows =
      sizeBytes === undefined
        ? null
        : [
            { start: 0, end: WINDOW_BYTES },
            { start: sizeBytes - WINDOW_BYTES, end: sizeBytes },
          ];
  }

  add(start: number, end: number): void {
    const last = this.ranges.at(-1);
    if (last?.end === start) last.end = end;
    else if (this.#windows?.some((window) => start < window.end && end > window.start) ?? true)
      this.ranges.push({ start, end });
  }
}
