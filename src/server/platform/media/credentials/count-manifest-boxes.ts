import { type PartBudget, TooManyPartsError } from '#server/platform/media/structure/walk-structure.ts';

/** A store has five levels; what a field of the specification may nest adds a few. */
const MAX_DEPTH = 32;
const SUPERBOX = 'jumb';

/** Counts the boxes of a manifest store (JUMBF), nested ones too. @throws {TooManyPartsError} */
export function countManifestBoxes(store: Buffer, budget: PartBudget): void {
  const open = [{ start: 0, end: store.length, depth: 0 }];
  for (let range = open.pop(); range; range = open.pop()) {
    if (range.depth > MAX_DEPTH) throw new TooManyPartsError();
    for (let at = range.start; at + 8 <= range.end;) {
      budget.take();
      const stated = store.readUInt32BE(at);
      const isWide = stated === 1 && at + 16 <= range.end;
      const head = isWide ? 16 : 8;
      const length = isWide ? Number(store.readBigUInt64BE(at + 8)) : stated === 0 ? range.end - at : stated;
      const end = Math.min(at + Math.max(length, head), range.end);
      if (store.toString('latin1', at + 4, at + 8) === SUPERBOX)
        open.push({ start: at + head, end, depth: range.depth + 1 });
      at = end;
    }
  }
}
