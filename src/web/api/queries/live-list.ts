import type { List } from '#contract/primitives.ts';

/** A row of a list; `updated_at` is missing where rows never change. */
export interface ListRow {
  id: string;
  updated_at?: string;
}

export interface LiveList<R extends ListRow> {
  pages: List<R>[];
  pageParams: (string | null)[];
}

interface FlattenedPages {
  pages: readonly List<ListRow>[];
  rows: readonly ListRow[];
  ids: Set<string>;
}

/** The last result for the pages that begin with a page. */
const flattenedByFirstPage = new WeakMap<List<ListRow>, FlattenedPages>();

/**
 * Flattens pages and drops duplicates, which a page read later may contain. Appending pages costs no more than their
 * own rows.
 */
export function flattenPages<R extends ListRow>(pages: readonly List<R>[]): readonly R[] {
  const [first] = pages;
  if (!first) return [];
  const known = flattenedByFirstPage.get(first);
  const grew =
    known !== undefined && known.pages.length <= pages.length && known.pages.every((page, at) => page === pages[at]);
  if (grew && known.pages.length === pages.length) return known.rows as R[];
  const { rows, ids } = grew ? known : { rows: [] as readonly ListRow[], ids: new Set<string>() };
  const added = pages
    .slice(grew ? known.pages.length : 0)
    .flatMap(({ data }) => data)
    .filter(({ id }) => !ids.has(id) && ids.add(id));
  const flat = { pages, rows: [...rows, ...added], ids };
  flattenedByFirstPage.set(first, flat);
  return flat.rows as R[];
}

/** Replaces one row; a list without it is returned as it is. */
export function replaceRow<R extends ListRow>(list: LiveList<R>, row: R): LiveList<R> {
  if (!list.pages.some(({ data }) => data.some(({ id }) => id === row.id))) return list;
  return {
    ...list,
    pages: list.pages.map((page) => ({ ...page, data: page.data.map((old) => (old.id === row.id ? row : old)) })),
  };
}
