/** Values by tag; null: work without one. */
export type TagFilter = Readonly<Record<string, string | null>>;

/** How work without a value is called. */
export const NO_VALUE = '(none)';

/** @param value undefined: any */
export function setTagFilter(
  tags: TagFilter | undefined,
  name: string,
  value: string | null | undefined,
): TagFilter | undefined {
  const { [name]: _previous, ...rest } = tags ?? {};
  const next = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(next).length > 0 ? next : undefined;
}

const MAX_FILTERED_TAGS = 10;

/** Parses the filter in the URL, without what is not valid. */
export function parseTagFilter(value: unknown): TagFilter | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(([, tag]) => tag === null || typeof tag === 'string');
  return entries.length > 0 ? Object.fromEntries(entries.slice(0, MAX_FILTERED_TAGS)) : undefined;
}

/** The filter as the service takes it. */
export const toTagsParameter = (tags: TagFilter | undefined): string | undefined => tags && JSON.stringify(tags);
