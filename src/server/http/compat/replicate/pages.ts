import type { CompatCall, CompatReply } from '#server/http/compat/compat-adapter.ts';
import { refuseParameter } from '#server/http/compat/compat-input.ts';
import { REPLICATE_PREFIX } from './present-prediction.ts';

const PAGE_ITEMS = '100';

/** The query of a list. @param filters beside `cursor` @throws {ApiError} 422 that names another parameter */
export function readPage({ query }: CompatCall, filters: readonly string[] = []): Record<string, string> {
  const unknown = Object.keys(query).find((name) => name !== 'cursor' && !filters.includes(name));
  if (unknown !== undefined) refuseParameter(unknown, `The parameter ${unknown} is not supported for this list.`);
  return { ...query, limit: PAGE_ITEMS };
}

/** A page of a list, with the address of the next one. */
export function toPage(
  { deps, request, query }: CompatCall,
  results: readonly unknown[],
  cursor: string | null,
): CompatReply {
  const path = request.url.split('?')[0]?.split(REPLICATE_PREFIX)[1] ?? '';
  const next =
    cursor === null
      ? null
      : `${deps.config.publicUrl}${REPLICATE_PREFIX}${path}?${new URLSearchParams({ ...query, cursor })}`;
  return { body: { previous: null, next, results } };
}
