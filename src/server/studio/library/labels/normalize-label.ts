import { MAX_LABEL_LENGTH } from '#contract/limits.ts';
import { stripInvisibleCharacters } from '#server/platform/core/file-names.ts';

/** The one spelling under which a label is stored: `  Red  FOX ` is `red fox`. @returns null if nothing is left of it */
export function normalizeLabel(text: string): string | null {
  const label = stripInvisibleCharacters(text.replaceAll(/\s+/gu, ' ').normalize('NFKC')).toLowerCase().trim();
  return label === '' || label.length > MAX_LABEL_LENGTH ? null : label;
}
