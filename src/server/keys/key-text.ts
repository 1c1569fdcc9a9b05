import { createHash, randomBytes } from 'node:crypto';
import type { KeyKind } from '#contract/resources/api-key.ts';

const PREFIXES = {
  organization: 'mgs_org_',
  member: 'mgs_usr_',
  publishing: 'mgs_pub_',
} as const satisfies Record<KeyKind, string>;

/** A fresh key: its prefix and 32 random bytes. It is shown once and never stored. Decision: Credentials */
export const newKeyText = (kind: KeyKind): string => PREFIXES[kind] + randomBytes(32).toString('base64url');

/** What is stored of a key, and looked up: SHA-256, hex. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');
