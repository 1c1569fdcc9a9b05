import { useQuery } from '@tanstack/react-query';
import { createAtom, useSelector } from '@tanstack/react-store';
import { meQuery } from '#web/api/queries/me.ts';
import { useSession } from '#web/api/session/session.ts';
import { readTagValues, type TagValues, writeTagValues } from './tag-metadata.ts';

/** A new object for every change. */
const changes = createAtom({});

function store(values: TagValues): void {
  writeTagValues(values);
  changes.set({});
}

/** The values for the next work, kept on this device for each person: people work on one project for a while. */
export function useTagValues(): TagValues {
  useSelector(changes);
  // Whose they are is known when the service has confirmed the session.
  useQuery({ ...meQuery, enabled: useSession() === 'signed_in' });
  return readTagValues();
}

/** @param value empty: none */
export function setTagValue(name: string, value: string): void {
  const { [name]: _previous, ...rest } = readTagValues();
  store(value.trim() === '' ? rest : { ...rest, [name]: value });
}

/** Removes values of tags that no longer exist. */
export function keepTagValues(names: readonly string[]): void {
  const values = readTagValues();
  const kept = Object.entries(values).filter(([name]) => names.includes(name));
  if (kept.length < Object.keys(values).length) store(Object.fromEntries(kept));
}
