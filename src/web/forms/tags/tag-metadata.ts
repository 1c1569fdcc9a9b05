export const TAGS_STORAGE_KEY = 'emulsion.tags';

export type TagValues = Readonly<Record<string, string>>;

export function readTagValues(): TagValues {
  try {
    return JSON.parse(localStorage.getItem(TAGS_STORAGE_KEY) ?? '{}') as TagValues;
  } catch {
    return {};
  }
}

/** Returns the part of a request that carries the values of tags that were chosen on this device. */
export function tagMetadata(): { metadata?: TagValues } {
  const metadata = readTagValues();
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}
