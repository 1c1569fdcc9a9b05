import { setImmediate as nextTurn } from 'node:timers/promises';
import type { List } from '#contract/primitives.ts';
import { type CursorScope, issueCursor, verifyCursor } from './cursor.ts';
import { ApiError, type ApiErrorOptions } from './api-error.ts';
import type { Secrets } from './secrets.ts';

/**
 * Returns the position after which a page starts; undefined without a cursor.
 * @param refusal another status for endpoints that list no 400
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export function parsePageCursor(
  secrets: Secrets,
  scope: CursorScope,
  cursor: string | undefined,
  refusal: ApiErrorOptions = {},
): string | undefined {
  const position = cursor === undefined ? undefined : verifyCursor(secrets, scope, cursor);
  if (position !== null) return position;
  throw new ApiError('invalid_request', 'Invalid cursor. Start again from the first page.', refusal);
}

export interface PageOptions<Row, Item> {
  /** In order, with one extra row if there is a next page. */
  rows: readonly Row[];
  limit: number;
  /** Position encoded in the cursor after this row. */
  position: (row: Row) => string;
  present: (rows: Row[]) => Item[] | Promise<Item[]>;
}

/** Rows of the first read; their size determines how many are read at once after that. */
const FIRST_ROWS = 20;
/** Upper bound per read, so that other requests are served in between. */
const MAX_ROWS = 50;
/** A page ends at this many JSON characters, whatever its limit; `next_cursor` continues it. */
const MAX_PAGE_CHARACTERS = 2_000_000;

export interface SizedPageOptions<Row, Item> extends Pick<PageOptions<Row, Item>, 'limit' | 'position' | 'present'> {
  after: string | undefined;
  read: (after: string | undefined, count: number) => Promise<Row[]>;
}

/**
 * Reads a page of a list with potentially large rows, in steps, so that neither process nor client gets more than a few
 * megabytes at once.
 */
export async function readSizedPage<Row, Item>(
  secrets: Secrets,
  scope: CursorScope,
  { limit, after, read, position, present }: SizedPageOptions<Row, Item>,
): Promise<List<Item>> {
  const data: Item[] = [];
  let [at, characters, step] = [after, 0, Math.min(limit, FIRST_ROWS)];
  for (;;) {
    const rows = await read(at, step + 1);
    const page = rows.slice(0, step);
    const last = page.at(-1);
    if (last !== undefined) at = position(last);
    for (const item of await present(page)) {
      data.push(item);
      characters += JSON.stringify(item).length;
    }
    const hasMore = rows.length > step;
    if (!hasMore || data.length >= limit || characters >= MAX_PAGE_CHARACTERS) {
      const nextCursor = hasMore && at !== undefined ? issueCursor(secrets, scope, at) : null;
      return { object: 'list', data, has_more: hasMore, next_cursor: nextCursor };
    }
    const room = Math.ceil((MAX_PAGE_CHARACTERS - characters) / Math.ceil(characters / data.length));
    step = Math.min(limit - data.length, room, MAX_ROWS);
    await nextTurn();
  }
}

/** Builds a page of a list with its `next_cursor`. Decision: Lists */
export async function presentPage<Row, Item>(
  secrets: Secrets,
  scope: CursorScope,
  { rows, limit, position, present }: PageOptions<Row, Item>,
): Promise<List<Item>> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  const nextCursor = hasMore && last !== undefined ? issueCursor(secrets, scope, position(last)) : null;
  return { object: 'list', data: await present(page), has_more: hasMore, next_cursor: nextCursor };
}
