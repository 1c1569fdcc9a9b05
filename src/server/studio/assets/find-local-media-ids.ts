import type { Deps } from '#server/platform/deps.ts';
import { parseLocalMediaUrl } from './media-links.ts';

/** Ids of the organization's own media anywhere in an input. */
export function findLocalMediaIds(deps: Deps, value: unknown): string[] {
  if (typeof value === 'string') {
    const own = parseLocalMediaUrl(deps, value);
    return own ? [own.id] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap((item) => findLocalMediaIds(deps, item)))];
}
