import { type Role, ROLES } from '#contract/permissions.ts';
import { ConfigError, type ReadText } from './config-error.ts';

export interface OidcSettings {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** Text of the sign-in button. */
  name: string;
  /** Lower case; empty: every domain. */
  allowed_domains: readonly string[];
  /** The claim whose value, or one of whose values, names a role; null: roles are set in the dashboard. */
  role_claim: string | null;
  /** Roles by value of the claim; empty: its values are the names of the roles. */
  role_map: ReadonlyMap<string, Role>;
  /** Whether an address counts as verified where the issuer does not say so. */
  trusts_email: boolean;
  /** Role of people of an allowed domain whom nobody invited; null: they may not sign in. */
  default_role: Role | null;
}

const OIDC_VARIABLES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** @throws {ConfigError} */
export function readOidcSettings(readText: ReadText): OidcSettings | null {
  if (OIDC_VARIABLES.every((name) => readText(name) === null)) return null;
  const [issuer, client_id, client_secret] = OIDC_VARIABLES.map(readText);
  if (!issuer || !client_id || !client_secret) {
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.');
  }
  if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer)) {
    throw new ConfigError('OIDC_ISSUER must be the URL of an identity provider such as https://login.example.com.');
  }
  const domains = splitList(readText('OIDC_ALLOWED_DOMAINS'));
  if (!domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain))) {
    throw new ConfigError('OIDC_ALLOWED_DOMAINS must be a list of domains such as example.com,example.org.');
  }
  const allowedDomains = domains.map((domain) => domain.toLowerCase());
  const defaultRole = readText('OIDC_DEFAULT_ROLE');
  if (defaultRole !== null && allowedDomains.length === 0) {
    throw new ConfigError('OIDC_DEFAULT_ROLE requires OIDC_ALLOWED_DOMAINS.');
  }
  return {
    issuer,
    client_id,
    client_secret,
    name: (readText('OIDC_NAME') ?? new URL(issuer).hostname).slice(0, 60),
    allowed_domains: allowedDomains,
    role_claim: readText('OIDC_ROLE_CLAIM'),
    role_map: readRoleMap(readText('OIDC_ROLE_MAP')),
    default_role: defaultRole === null ? null : parseRole(defaultRole, 'OIDC_DEFAULT_ROLE'),
    trusts_email: readTrust(readText('OIDC_TRUST_EMAIL'), issuer),
  };
}

/** Entra's issuers of several tenants, the last that of all personal accounts: any administrator chooses addresses. */
const SHARED_TENANTS = ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad', '{tenantid}'];

/** Whether the people of an issuer come from many organizations. */
export const isMultiTenant = (issuer: string): boolean =>
  decodeURIComponent(new URL(issuer).pathname)
    .split('/')
    .some((segment) => SHARED_TENANTS.includes(segment.toLowerCase()));

function readTrust(text: string | null, issuer: string): boolean {
  if (text !== null && text !== 'true' && text !== 'false')
    throw new ConfigError('OIDC_TRUST_EMAIL must be true or false.');
  if (text === 'true' && isMultiTenant(issuer)) {
    throw new ConfigError(
      'OIDC_TRUST_EMAIL needs an OIDC_ISSUER of your organization alone: at this one any organization chooses addresses.',
    );
  }
  return text === 'true';
}

const splitList = (text: string | null): string[] => (text ?? '').split(/[\s,]+/).filter((part) => part !== '');

function readRoleMap(text: string | null): Map<string, Role> {
  const pairs = splitList(text).map((pair): [string, Role] => {
    const at = pair.lastIndexOf('=');
    if (at > 0) return [pair.slice(0, at), parseRole(pair.slice(at + 1), 'OIDC_ROLE_MAP')];
    throw new ConfigError('OIDC_ROLE_MAP must be a list such as studio-admins=administrator,finance=auditor.');
  });
  return new Map(pairs);
}

function parseRole(text: string, name: string): Role {
  const role = ROLES.find((option) => option === text);
  if (role) return role;
  throw new ConfigError(`${name} must name one of the roles ${ROLES.join(', ')}.`);
}
