import { monotonicFactory } from 'ulid';

const ulid = monotonicFactory();

export type IdPrefix =
  | 'alt'
  | 'arc'
  | 'aud'
  | 'ast'
  | 'bat'
  | 'bud'
  | 'col'
  | 'dlv'
  | 'evt'
  | 'gen'
  | 'inv'
  | 'key'
  | 'led'
  | 'org'
  | 'per'
  | 'prv'
  | 'pst'
  | 'req'
  | 'run'
  | 'ses'
  | 'shr'
  | 'txt'
  | 'upl';

/** Creates an id: a prefix and 26 lower-case Crockford base32 characters that sort by time. Decision: Ids */
export const createId = (prefix: IdPrefix, now: Date): string => `${prefix}_${ulid(now.getTime()).toLowerCase()}`;
