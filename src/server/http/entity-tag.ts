import { createHash } from 'node:crypto';

/** A weak ETag of what is answered, so that polling what has not changed costs no transfer. */
export const createEntityTag = (text: string): string => `W/"${createHash('sha1').update(text).digest('base64url')}"`;

/** Whether an If-None-Match header names the tag; compared weakly, as RFC 9110 has it. */
export function matchesEntityTag(if_none_match: string | undefined, tag: string): boolean {
  if (if_none_match === undefined) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return if_none_match.split(',').some((tag_given) => tag_given.trim() === '*' || opaque(tag_given) === opaque(tag));
}
