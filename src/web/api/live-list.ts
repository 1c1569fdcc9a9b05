import type { List } from '#contract/primitives.ts';

/** A row of a list; `updated_at` is missing where rows never change. */
export interface ListRow {
  id: string;
  updated_at?: string;
}

export interface LiveList<R extends ListRow> {
  rows: readonly R[];
  /** The newest page as it was last read. */
  newest: List<R>;
  /** Null: the rows are complete. */
  nextCursor: string | null;
}

const startList = <R extends ListRow>(newest: List<R>): LiveList<R> => ({
  rows: newest.data,
  newest,
  nextCursor: newest.next_cursor,
});

/** A response to an earlier request may arrive after a newer one. */
const newerRow = <R extends ListRow>(known: R, read: R | undefined): R =>
  read && (read.updated_at ?? '') >= (known.updated_at ?? '') ? read : known;

/**
 * Merges the newest page into a list that has been scrolled: known rows are updated, new rows go to the top, and rows
 * that no longer match are removed. Rows below the page stay. Where the two share no row, the list starts over. An empty
 * page with more rows behind it says nothing.
 */
export function mergeNewest<R extends ListRow>(list: LiveList<R> | undefined, newest: List<R>): LiveList<R> {
  if (!list) return startList(newest);
  if (newest === list.newest || (newest.data.length === 0 && newest.has_more)) return list;
  const fresh = new Map(newest.data.map((row) => [row.id, row]));
  const lastKnown = list.rows.findLastIndex(({ id }) => fresh.has(id));
  if (lastKnown === -1) return startList(newest);
  const kept = list.rows
    .filter(({ id }, index) => fresh.has(id) || (index > lastKnown && newest.has_more))
    .map((row) => newerRow(row, fresh.get(row.id)));
  const known = new Set(list.rows.map(({ id }) => id));
  const added = newest.data.filter(({ id }) => !known.has(id));
  return { rows: [...added, ...kept], newest, nextCursor: newest.has_more ? list.nextCursor : null };
}

/**
 * Updates the rows that a sorted list has. Each keeps its place until the list opens again, so that a change does not
 * lose what was scrolled to.
 */
export function refreshRows<R extends ListRow>(list: LiveList<R> | undefined, newest: List<R>): LiveList<R> {
  if (!list || list.rows.length === 0) return startList(newest);
  const fresh = new Map(newest.data.map((row) => [row.id, row]));
  return { ...list, rows: list.rows.map((row) => newerRow(row, fresh.get(row.id))), newest };
}

/** Appends the page after a list. Rows that moved down meanwhile stay where they are. */
export function appendPage<R extends ListRow>(list: LiveList<R>, page: List<R>): LiveList<R> {
  const known = new Set(list.rows.map(({ id }) => id));
  const added = page.data.filter(({ id }) => !known.has(id));
  return { ...list, rows: [...list.rows, ...added], nextCursor: page.next_cursor };
}

/** Changes the rows with these ids; returns a list without them unchanged. */
export function updateRows<R extends ListRow>(
  list: LiveList<R>,
  ids: ReadonlySet<string>,
  update: (row: R) => R,
): LiveList<R> {
  if (!list.rows.some(({ id }) => ids.has(id))) return list;
  return { ...list, rows: list.rows.map((row) => (ids.has(row.id) ? update(row) : row)) };
}

export const replaceRow = <R extends ListRow>(list: LiveList<R>, row: R): LiveList<R> =>
  updateRows(list, new Set([row.id]), () => row);

/** Puts a new row on top, where the next page that is read will have it. */
export const insertRow = <R extends ListRow>(list: LiveList<R>, row: R): LiveList<R> =>
  list.rows.some(({ id }) => id === row.id)
    ? replaceRow(list, row)
    : { ...list, rows: [row, ...list.rows], newest: { ...list.newest, data: [row, ...list.newest.data] } };

export function removeRows<R extends ListRow>(list: LiveList<R>, ids: ReadonlySet<string>): LiveList<R> {
  return list.rows.some(({ id }) => ids.has(id)) ? { ...list, rows: list.rows.filter(({ id }) => !ids.has(id)) } : list;
}
