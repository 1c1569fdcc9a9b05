import { randomInt } from 'node:crypto';
import { monotonicFactory } from 'ulid';

const RANDOM_STEPS = 2 ** 32;
/** Unlike the default of `ulid`, `randomInt` takes random bytes from the system in bulk. */
const ulid = monotonicFactory(() => randomInt(RANDOM_STEPS) / RANDOM_STEPS);

export type IdPrefix =
  | 'alt'
  | 'ans'
  | 'arc'
  | 'aud'
  | 'ast'
  | 'bat'
  | 'bil'
  | 'bud'
  | 'cls'
  | 'col'
  | 'crt'
  | 'dlv'
  | 'evt'
  | 'fil'
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
