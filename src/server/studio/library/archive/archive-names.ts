import { mediaFileStem } from '#server/studio/assets/media-name.ts';
import { fileExtension } from '#server/platform/core/file-names.ts';
import type { MediaRow } from '#server/studio/library/media-rows.ts';

/** Names in the same order, valid on every system, without a path and unique regardless of case. */
export function createArchiveNames(rows: readonly MediaRow[]): string[] {
  const used = new Set<string>();
  return rows.map((row) => {
    const stem = mediaFileStem(row);
    const extension = fileExtension(row.storage_key);
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? '' : ` (${count})`}${extension}`;
      const folded = name.toLowerCase();
      if (used.has(folded)) continue;
      used.add(folded);
      return name;
    }
  });
}
