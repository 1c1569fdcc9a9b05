import { describe, expect, it } from 'vitest';
import type { Role } from '#contract/permissions.ts';
import type { OidcSettings } from '#server/platform/core/settings/oidc-settings.ts';
import { OidcSignInError } from './oidc-error.ts';
import { isUserInfoNeeded, readIdentity } from './read-identity.ts';

const settings: OidcSettings = {
  issuer: 'https://login.example.com',
  client_id: 'id',
  client_secret: 'secret',
  name: 'Company login',
  allowed_domains: [],
  role_claim: 'groups',
  role_map: new Map(),
  default_role: null,
  trusts_email: false,
};
const subject = { iss: 'https://login.example.com', sub: 'anna' };

type Claims = Record<string, unknown>;

/** @returns the address and role, or the code of the refusal */
function read(idToken: Claims, userInfo: Claims = {}, change: Partial<OidcSettings> = {}) {
  try {
    const { email, role } = readIdentity({ ...settings, ...change }, { idToken: { ...subject, ...idToken }, userInfo });
    return { email, role };
  } catch (error) {
    if (error instanceof OidcSignInError) return error.code;
    throw error;
  }
}

const addresses = (email: string): Claims[] => [
  {},
  { email_verified: true },
  { email },
  { email, email_verified: true },
  { email, email_verified: 'true' },
  { email, email_verified: false },
  { email, email_verified: 'false' },
  { email: null, email_verified: true },
];
const ROLES_OF_SOURCES: [idToken: Claims, userInfo: Claims, role: Role | null][] = [
  [{}, {}, null],
  [{ groups: ['auditor'] }, {}, 'auditor'],
  [{}, { groups: ['auditor'] }, 'auditor'],
  [{ groups: ['member'] }, { groups: ['administrator'] }, 'member'],
  [{ groups: [] }, { groups: ['administrator'] }, null],
];
const mixtures = addresses('token@example.com').flatMap((idToken) =>
  addresses('info@example.com').flatMap((userInfo) => ROLES_OF_SOURCES.map((roles) => ({ idToken, userInfo, roles }))),
);

describe('claims of the ID token and of user info', () => {
  it.each(mixtures)(
    'are never merged: $idToken, $userInfo, $roles',
    ({ idToken, userInfo, roles: [own, more, role] }) => {
      const source = 'email' in idToken ? idToken : userInfo;
      const isVerified =
        typeof source['email'] === 'string' && [true, 'true'].some((value) => value === source['email_verified']);
      expect(read({ ...idToken, ...own }, { ...userInfo, ...more })).toEqual(
        isVerified ? { email: source['email'], role } : 'oidc_email_unverified',
      );
    },
  );

  it('need user info where the token lacks the address or the role', () => {
    expect(isUserInfoNeeded(settings, { email: 'a@example.com', groups: [] })).toBe(false);
    expect(isUserInfoNeeded(settings, { email: 'a@example.com' })).toBe(true);
    expect(isUserInfoNeeded(settings, { groups: [] })).toBe(true);
    expect(isUserInfoNeeded({ ...settings, role_claim: null }, { email: 'a@example.com' })).toBe(false);
  });
});

describe('OIDC_TRUST_EMAIL', () => {
  const email = 'anna@example.com';
  it.each<[Claims, Claims]>([
    [{ email }, {}],
    [{ email, xms_edov: true }, {}],
    [{ email, xms_edov: '1' }, {}],
    [{}, { email }],
    [{ email_verified: false }, { email }],
  ])('counts an address that the source says nothing of as verified: %j, %j', (idToken, userInfo) => {
    expect(read(idToken, userInfo)).toBe('oidc_email_unverified');
    expect(read(idToken, userInfo, { trusts_email: true })).toEqual({ email, role: null });
  });

  it.each<[Claims, Claims]>([
    [{ email, email_verified: false }, {}],
    [
      { email, email_verified: 'false' },
      { email, email_verified: true },
    ],
    [{ email, email_verified: null }, {}],
    [{ email, xms_edov: false }, {}],
    [{ email, xms_edov: 0 }, {}],
    [{ email, xms_edov: '0' }, {}],
    [{}, { email, email_verified: false }],
    [{ email: '\u212Aate@example.com' }, {}],
    [{}, {}],
  ])('does not overrule an issuer that denies it: %j, %j', (idToken, userInfo) => {
    expect(read(idToken, userInfo, { trusts_email: true })).toBe('oidc_email_unverified');
  });
});

describe('a role', () => {
  const verified = { email: 'anna@example.com', email_verified: true };
  const role_map = new Map<string, Role>([
    ['finance', 'auditor'],
    ['7', 'member'],
  ]);
  it.each<[unknown, Role | null]>([
    [['administrator'], null],
    [['x', 'administrator', 'finance'], 'auditor'],
    ['finance', 'auditor'],
    [7, 'member'],
    [['\uff46inance', 'Finance', ' finance'], null],
    ['__proto__', null],
    [null, null],
  ])('of %j counts only as OIDC_ROLE_MAP says', (groups, role) => {
    expect(read({ ...verified, groups }, {}, { role_map })).toMatchObject({ role });
  });

  it('is the value of the claim where nothing is mapped', () => {
    expect(read({ ...verified, groups: ['x', 'viewer', 'auditor'] })).toMatchObject({ role: 'auditor' });
    expect(read({ ...verified, groups: ['Auditor', 'audıtor'] })).toMatchObject({ role: null });
  });
});
