import { createAtom, useSelector } from '@tanstack/react-store';

const STORAGE_KEY = 'emulsion.tags';

type TagValues = Readonly<Record<string, string>>;

function readStored(): TagValues {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as TagValues;
  } catch {
    return {};
  }
}

/** The values for the next work, kept on this device: people work on one project for a while. */
const tagValues = createAtom<TagValues>(readStored());

function store(values: TagValues): void {
  tagValues.set(values);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(values));
  } catch {
    // Without storage, the values last until the page is closed.
  }
}

export const useTagValues = (): TagValues => useSelector(tagValues);

/** @param value empty: none */
export function setTagValue(name: string, value: string): void {
  const { [name]: _previous, ...rest } = tagValues.get();
  store(value === '' ? rest : { ...rest, [name]: value });
}

/** Removes values of tags that no longer exist. */
export function keepTagValues(names: readonly string[]): void {
  const kept = Object.entries(tagValues.get()).filter(([name]) => names.includes(name));
  if (kept.length < Object.keys(tagValues.get()).length) store(Object.fromEntries(kept));
}

/** Returns the part of a request that carries the values. */
export function tagMetadata(): { metadata?: Record<string, string> } {
  const entries = Object.entries(tagValues.get()).map(([name, value]) => [name, value.trim()] as const);
  const filled = entries.filter(([, value]) => value !== '');
  return filled.length > 0 ? { metadata: Object.fromEntries(filled) } : {};
}
