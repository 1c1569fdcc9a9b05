import type { List } from '#contract/primitives.ts';
import { type CursorScope, issueCursor, readCursor } from './cursor.ts';
import { ApiError, type ApiErrorOptions } from './http/api-error.ts';
import type { Secrets } from './secrets.ts';

/**
 * The position that a page begins after; undefined where no cursor was given.
 * @param refusal of another status, where the endpoint lists no 400
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export function positionOf(
  secrets: Secrets,
  scope: CursorScope,
  cursor: string | undefined,
  refusal: ApiErrorOptions = {},
): string | undefined {
  const position = cursor === undefined ? undefined : readCursor(secrets, scope, cursor);
  if (position !== null) return position;
  throw new ApiError('invalid_request', 'This cursor was not issued here. Start again at the first page.', refusal);
}

export interface ListPage<Row, Item> {
  /** In order; one more than the page holds, where there are as many. */
  rows: readonly Row[];
  limit: number;
  /** What the cursor after a row stands for. */
  position: (row: Row) => string;
  present: (rows: Row[]) => Item[] | Promise<Item[]>;
}

/** A page of a list, with the cursor that leads on. Decision: General */
export async function listPage<Row, Item>(
  secrets: Secrets,
  scope: CursorScope,
  { rows, limit, position, present }: ListPage<Row, Item>,
): Promise<List<Item>> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const has_more = rows.length > limit;
  const next_cursor = has_more && last !== undefined ? issueCursor(secrets, scope, position(last)) : null;
  return { object: 'list', data: await present(page), has_more, next_cursor };
}
