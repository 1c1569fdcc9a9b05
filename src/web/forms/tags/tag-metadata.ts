import { getSession } from '#web/api/session/session.ts';

export type TagValues = Readonly<Record<string, string>>;

/** Of whom they are: several people may use one browser. */
let current: { owner: string | null; values: TagValues } | undefined;

const storageKey = (owner: string): string => `emulsion.tags.${owner}`;

/** The values for the next work of the person or key that is signed in. The same object while they are the same. */
export function readTagValues(): TagValues {
  const owner = getSession()?.owner ?? null;
  if (current?.owner !== owner) current = { owner, values: owner === null ? {} : readStored(owner) };
  return current.values;
}

function readStored(owner: string): TagValues {
  try {
    return JSON.parse(localStorage.getItem(storageKey(owner)) ?? '{}') as TagValues;
  } catch {
    return {};
  }
}

export function writeTagValues(values: TagValues): void {
  const owner = getSession()?.owner ?? null;
  current = { owner, values };
  if (owner === null) return;
  try {
    localStorage.setItem(storageKey(owner), JSON.stringify(values));
  } catch {
    // Without storage they last until the page is closed.
  }
}

/** Returns the part of a request that carries the values of tags that this person chose on this device. */
export function tagMetadata(): { metadata?: TagValues } {
  const metadata = readTagValues();
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}
