import { monotonicFactory } from 'ulid';

const ulid = monotonicFactory();

export type IdPrefix = 'arc' | 'gen' | 'ast' | 'upl' | 'run' | 'evt' | 'dlv' | 'led' | 'key' | 'org' | 'prv';

/** Creates an id: a prefix and 26 lower-case Crockford base32 characters that sort by time. Decision: Ids */
export const createId = (prefix: IdPrefix, now: Date): string => `${prefix}_${ulid(now.getTime()).toLowerCase()}`;
