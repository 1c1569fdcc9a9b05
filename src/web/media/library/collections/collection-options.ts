import type { Collection } from '#contract/resources/collection.ts';

export type CollectionOption = { kind: 'collection'; collection: Collection } | { kind: 'create'; name: string };

const foldCase = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** The collections whose names contain the text, and a new one unless its name exists. */
export function listCollectionOptions(collections: readonly Collection[], text: string): CollectionOption[] {
  const wanted = foldCase(text);
  const matches = collections.filter(({ name }) => foldCase(name).includes(wanted));
  const name = text.trim();
  const isNew = name !== '' && !collections.some((collection) => foldCase(collection.name) === wanted);
  return [
    ...matches.map((collection) => ({ kind: 'collection' as const, collection })),
    ...(isNew ? [{ kind: 'create' as const, name }] : []),
  ];
}
