import { createHash } from 'node:crypto';

/** Creates a weak ETag, so that polling unchanged data costs no transfer. */
export const createEntityTag = (text: string): string => `W/"${createHash('sha1').update(text).digest('base64url')}"`;

/** Uses weak comparison, as RFC 9110 requires for If-None-Match. */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => candidate.trim() === '*' || opaque(candidate) === opaque(tag));
}
