import { createAtom, useSelector } from '@tanstack/react-store';
import { readTagValues, TAGS_STORAGE_KEY, type TagValues } from './tag-metadata.ts';

/** The values for the next work, kept on this device: people work on one project for a while. */
const tagValues = createAtom<TagValues>(readTagValues());

function store(values: TagValues): void {
  tagValues.set(values);
  try {
    localStorage.setItem(TAGS_STORAGE_KEY, JSON.stringify(values));
  } catch {
    // Without storage, the service asks for required values.
  }
}

export const useTagValues = (): TagValues => useSelector(tagValues);

/** @param value empty: none */
export function setTagValue(name: string, value: string): void {
  const { [name]: _previous, ...rest } = tagValues.get();
  store(value.trim() === '' ? rest : { ...rest, [name]: value });
}

/** Removes values of tags that no longer exist. */
export function keepTagValues(names: readonly string[]): void {
  const kept = Object.entries(tagValues.get()).filter(([name]) => names.includes(name));
  if (kept.length < Object.keys(tagValues.get()).length) store(Object.fromEntries(kept));
}
