import type { List } from '#contract/primitives.ts';
import { flattenPages, type ListRow, type LiveList } from './live-list.ts';

/** A response to an earlier request may arrive after a newer one. */
const newerRow = <R extends ListRow>(known: R, read: R | undefined): R =>
  read && (read.updated_at ?? '') >= (known.updated_at ?? '') ? read : known;

/**
 * Merges a new head into a list that has been scrolled: known rows are updated, new rows go to the top, and rows that
 * no longer match are removed. Rows below the head stay. Where the two share no row, the list starts over.
 */
export function mergeHead<R extends ListRow>(list: LiveList<R>, head: List<R>): LiveList<R> {
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
