import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';

export interface LiveList {
  pages: List<Generation>[];
  pageParams: unknown[];
}

/** Rows in order, each once: a page that was read later may repeat rows of the one before. */
export function rowsOf(pages: readonly List<Generation>[]): Generation[] {
  const seen = new Set<string>();
  return pages.flatMap(({ data }) => data).filter(({ id }) => !seen.has(id) && seen.add(id));
}

/**
 * Puts a fresh newest page into a list that has been scrolled: known rows take their new state, rows that are new go to the
 * top, and rows that the filter no longer admits leave. Rows past the fresh page stay as they are.
 */
export function mergeHead(list: LiveList, head: List<Generation>): LiveList {
  const [first] = list.pages;
  if (!first) return { pages: [head], pageParams: [undefined] };
  const known = new Set(list.pages.flatMap(({ data }) => data.map(({ id }) => id)));
  const overlaps = head.data.some(({ id }) => known.has(id));
  if (head.data.length === 0 || (!overlaps && known.size > 0)) return { pages: [head], pageParams: [undefined] };
  const fresh = new Map(head.data.map((row) => [row.id, row]));
  const oldest = head.data.at(-1)?.id ?? '';
  const covered = (id: string) => !head.has_more || id >= oldest;
  const pages = list.pages.map((page) => ({
    ...page,
    data: page.data.flatMap((row) => fresh.get(row.id) ?? (covered(row.id) ? [] : row)),
  }));
  const added = head.data.filter(({ id }) => !known.has(id));
  return { ...list, pages: [{ ...first, data: [...added, ...(pages[0]?.data ?? [])] }, ...pages.slice(1)] };
}

/** Gives one row its new state wherever it stands; a list without it is returned as it is. */
export function replaceRow(list: LiveList, row: Generation): LiveList {
  if (!list.pages.some(({ data }) => data.some(({ id }) => id === row.id))) return list;
  return {
    ...list,
    pages: list.pages.map((page) => ({ ...page, data: page.data.map((old) => (old.id === row.id ? row : old)) })),
  };
}
