import { createHash, randomBytes } from 'node:crypto';
import type { KeyKind } from '#contract/permissions.ts';

const PREFIXES = {
  organization: 'mgs_org_',
  member: 'mgs_usr_',
  publishing: 'mgs_pub_',
} as const satisfies Record<KeyKind, string>;
const SESSION_PREFIX = 'mgs_ses_';

const randomSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

/** Generates a key: a prefix and 32 random bytes. It is shown once and never stored. Decision: Credentials */
export const generateKey = (kind: KeyKind): string => randomSecret(PREFIXES[kind]);

export const generateSessionSecret = (): string => randomSecret(SESSION_PREFIX);

/** @param text random or signed, base64url */
export const sessionSecret = (text: string): string => SESSION_PREFIX + text;

export const generateInvitationToken = (): string => randomSecret('mgs_inv_');

export const generateEmailToken = (): string => randomSecret('mgs_eml_');

export const generateSignInToken = (): string => randomSecret('mgs_lnk_');

/** Returns whether a credential has the prefix of a session; anything else is looked up as a key. */
export const isSessionSecret = (credential: string): boolean => credential.startsWith(SESSION_PREFIX);

export const hashCredential = (key: string): string => createHash('sha256').update(key).digest('hex');
