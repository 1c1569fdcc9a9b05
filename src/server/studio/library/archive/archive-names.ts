import { mediaFileStem } from '#server/studio/assets/media-name.ts';
import { SIDECAR_EXTENSION } from '#server/studio/assets/media-links.ts';
import { fileExtension, stripExtension } from '#server/platform/core/file-names.ts';
import type { MediaRow } from '#server/studio/library/media-rows.ts';

/**
 * Names in the same order, valid on every system, without a path and unique regardless of case.
 * @param sidecars ids of media with a manifest beside the file: readers find it by the base name, which no other file has
 */
export function createArchiveNames(
  rows: readonly MediaRow[],
  sidecars: Pick<ReadonlyMap<string, unknown>, 'has'> = new Set<string>(),
): string[] {
  const usedNames = new Set<string>();
  /** The value says whether a sidecar has this base name. */
  const usedStems = new Map<string, boolean>();
  return rows.map((row) => {
    const extension = fileExtension(row.storage_key);
    const hasSidecar = sidecars.has(row.id);
    for (let count = 1; ; count += 1) {
      const stem = `${mediaFileStem(row)}${count === 1 ? '' : ` (${count})`}`;
      const [foldedName, foldedStem] = [`${stem}${extension}`.toLowerCase(), stem.toLowerCase()];
      const isStemTaken = hasSidecar ? usedStems.has(foldedStem) : usedStems.get(foldedStem) === true;
      if (usedNames.has(foldedName) || isStemTaken) continue;
      usedNames.add(foldedName);
      usedStems.set(foldedStem, hasSidecar);
      return `${stem}${extension}`;
    }
  });
}

/** Of the manifest beside a file of an archive. */
export const sidecarName = (name: string): string => `${stripExtension(name)}${SIDECAR_EXTENSION}`;
