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

/** A response to an earlier request may arrive after a newer one. */
const newerRow = <R extends ListRow>(known: R, read: R | undefined): R =>
  read && (read.updated_at ?? '') >= (known.updated_at ?? '') ? read : known;

/**
 * Merges a new head into a list that has been scrolled: known rows are updated, new rows go to the top, and rows that
 * no longer match are removed. Rows below the head stay. Where the two share no row, the list starts over. An empty head
 * with more rows behind it says nothing.
 */
export function mergeHead<R extends ListRow>(list: LiveList<R>, head: List<R>): LiveList<R> {
  if (head.data.length === 0 && head.has_more) return list;
  const fresh = new Map(head.data.map((row) => [row.id, row]));
  const old = flattenPages(list.pages);
  const last_known = old.findLastIndex(({ id }) => fresh.has(id));
  const [first] = list.pages;
  if (!first || last_known === -1) return { pages: [head], pageParams: [null] };
  const gone = new Set(
    old.filter(({ id }, index) => !fresh.has(id) && (index < last_known || !head.has_more)).map(({ id }) => id),
  );
  const known = new Set(old.map(({ id }) => id));
  const added = head.data.filter(({ id }) => !known.has(id));
  const [renewed = first, ...rest] = list.pages.map((page) => ({
    ...page,
    data: page.data.filter(({ id }) => !gone.has(id)).map((row) => newerRow(row, fresh.get(row.id))),
  }));
  return { ...list, pages: [{ ...renewed, data: [...added, ...renewed.data] }, ...rest] };
}

/** Replaces one row; returns a list without it unchanged. */
export function replaceRow<R extends ListRow>(list: LiveList<R>, row: R): LiveList<R> {
  if (!list.pages.some(({ data }) => data.some(({ id }) => id === row.id))) return list;
  return {
    ...list,
    pages: list.pages.map((page) => ({ ...page, data: page.data.map((old) => (old.id === row.id ? row : old)) })),
  };
}
