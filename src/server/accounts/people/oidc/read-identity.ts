import * as z from 'zod/mini';
import { cleanName } from '#contract/one-line.ts';
import { type Role, ROLES } from '#contract/permissions.ts';
import { email as emailSchema } from '#contract/primitives.ts';
import { MAX_PERSON_NAME_LENGTH } from '#contract/resources/person.ts';
import type { OidcSettings } from '#server/platform/core/settings/oidc-settings.ts';
import { OidcSignInError } from './oidc-error.ts';

export interface Identity {
  issuer: string;
  subject: string;
  name: string;
  /** Verified by the provider, of an allowed domain. */
  email: string;
  /** null: the claims name no role. */
  role: Role | null;
}

type Claims = Readonly<Record<string, unknown>>;

/** What an identity provider says of a person, by source. Never merged: who signs one may not be who fills the other. */
export interface ProviderClaims {
  idToken: Claims;
  /** Empty: not asked for, or there is none. */
  userInfo: Claims;
}

const has = (claims: Claims, name: string): boolean => Object.hasOwn(claims, name) && claims[name] !== undefined;

/** The source of a claim: the ID token where it has the claim. */
const sourceOf = ({ idToken, userInfo }: ProviderClaims, name: string): Claims =>
  has(idToken, name) ? idToken : userInfo;

/** Whether the ID token leaves out what a sign-in is decided by. */
export const isUserInfoNeeded = ({ role_claim }: OidcSettings, idToken: Claims): boolean =>
  !has(idToken, 'email') || (role_claim !== null && !has(idToken, role_claim));

const Subject = z.object({ iss: z.string(), sub: z.string().check(z.minLength(1), z.maxLength(255)) });

/** @throws {OidcSignInError} for claims that are not valid, and an unverified mail address or one of another domain */
export function readIdentity(settings: OidcSettings, claims: ProviderClaims): Identity {
  const parsed = z.safeParse(Subject, claims.idToken);
  if (!parsed.success) throw new OidcSignInError('oidc_failed', parsed.error);
  const email = readVerifiedEmail(settings, sourceOf(claims, 'email'));
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const { allowed_domains } = settings;
  if (allowed_domains.length > 0 && !allowed_domains.includes(domain)) throw new OidcSignInError('oidc_domain');
  return {
    issuer: parsed.data.iss,
    subject: parsed.data.sub,
    name: cleanName(sourceOf(claims, 'name')['name'], MAX_PERSON_NAME_LENGTH) || email,
    email,
    role: readRole(settings, claims),
  };
}

/** @param claims of the one source that has the address */
function readVerifiedEmail({ trusts_email }: OidcSettings, claims: Claims): string {
  const email = z.safeParse(emailSchema(), claims['email']).data;
  // Some providers send texts. Entra has a claim of its own, whose false counts as the standard one's.
  const [verified, ownerVerified] = ['email_verified', 'xms_edov'].map((name) => claims[name]);
  const isVerified = verified === true || verified === 'true';
  const isTrusted = trusts_email && verified === undefined && isUndenied(ownerVerified);
  if (email === undefined || !(isVerified || isTrusted)) throw new OidcSignInError('oidc_email_unverified');
  return email;
}

const isUndenied = (ownerVerified: unknown): boolean =>
  ownerVerified === undefined || [true, 'true', 1, '1'].some((value) => value === ownerVerified);

function readRole({ role_claim, role_map }: OidcSettings, claims: ProviderClaims): Role | null {
  if (role_claim === null) return null;
  const values = [sourceOf(claims, role_claim)[role_claim]].flat().map(String);
  const named = values.map((value) => (role_map.size > 0 ? role_map.get(value) : ROLES.find((role) => role === value)));
  return ROLES.find((role) => named.includes(role)) ?? null;
}
