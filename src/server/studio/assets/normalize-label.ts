import { MAX_LABEL_LENGTH } from '#contract/limits.ts';
import { stripInvisibleCharacters } from '#server/platform/core/file-names.ts';

/** A label as it is shown: `  Red \t FOX ` is `Red FOX`. @returns null if nothing is left of it, or too much */
export function normalizeLabel(text: string): string | null {
  const label = stripInvisibleCharacters(text.replaceAll(/\s+/gu, ' ').normalize('NFKC')).trim();
  return label === '' || label.length > MAX_LABEL_LENGTH ? null : label;
}

/** The same for `Red FOX` and `red fox`, which are one label. @param label see `normalizeLabel` */
export const labelKey = (label: string): string => label.toLowerCase().normalize('NFC');
