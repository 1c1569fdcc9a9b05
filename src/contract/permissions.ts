/** Who may do what. An endpoint names the one permission that it needs. Decision: Roles */
export const PERMISSIONS = {
  'account.use': 'Sign in and out, and read one’s own profile, sessions and requests',
  'account.manage': 'Change one’s own profile, mail address and passkeys, and end one’s own sessions',
  'work.read': 'View and download generations, media and workflows',
  'work.create': 'Generate, run workflows, and change or delete media',
  'uploads.create': 'Upload media',
  'credentials.remove': 'Download media without their content credentials',
  'billing.read_own': 'See one’s own charges and budgets',
  'billing.read': 'See everyone’s charges, the ledger, statements and exports',
  'costs.read': 'See what providers cost, and margins',
  'ledger.verify': 'Verify the ledger and export audit packs',
  'audit.read': 'Read the audit log',
  'alerts.read': 'See alerts',
  'alerts.manage': 'Acknowledge alerts',
  'reviews.read': 'See generations and orders that wait for a decision',
  'reviews.decide': 'Decide reviews and requests',
  'people.read': 'See who is in the organization',
  'people.manage': 'Invite and remove people, and change their roles',
  'keys.manage_own': 'Create and revoke one’s own keys',
  'keys.manage': 'Create and revoke every key',
  'budgets.manage': 'Set budgets',
  'funds.manage': 'Add credit and refund charges',
  'providers.manage': 'Connect providers',
  'models.manage': 'Add models and set their prices',
  'catalog.manage': 'Rename tasks and models',
  'webhooks.manage': 'Manage webhook endpoints',
  'settings.manage': 'Change the settings of the organization',
} as const;
export type Permission = keyof typeof PERMISSIONS;

export const ROLES = ['administrator', 'member', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const ALL = Object.keys(PERMISSIONS) as Permission[];

/** Decision: Roles */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ALL,
  member: [
    'account.use',
    'account.manage',
    'work.read',
    'work.create',
    'uploads.create',
    'billing.read_own',
    'people.read',
    'keys.manage_own',
  ],
  auditor: [
    'account.use',
    'account.manage',
    'work.read',
    'billing.read_own',
    'billing.read',
    'costs.read',
    'ledger.verify',
    'audit.read',
    'alerts.read',
    'reviews.read',
    'people.read',
    'keys.manage_own',
  ],
  viewer: ['account.use', 'account.manage', 'work.read', 'people.read'],
};

export const KEY_KINDS = ['organization', 'member', 'publishing'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** No key, of whatever kind, manages a person: a leaked one would become the person. Decision: Credentials */
export const KEY_KIND_PERMISSIONS: Readonly<Record<KeyKind, readonly Permission[]>> = {
  organization: ALL.filter((permission) => permission !== 'account.manage'),
  member: [
    'account.use',
    'work.read',
    'work.create',
    'uploads.create',
    'billing.read_own',
    'billing.read',
    'people.read',
  ],
  publishing: ['uploads.create'],
};

/** What a read-only key keeps of the permissions of its kind. */
export const READ_PERMISSIONS: readonly Permission[] = ALL.filter(
  (permission) =>
    permission.endsWith('.read') ||
    permission.endsWith('.read_own') ||
    permission === 'ledger.verify' ||
    permission === 'account.use',
);

/** Roles whose own keys only read, whatever their scopes, and end when the role changes. Decision: Roles */
export const hasReadOnlyKeys = (role: Role | undefined): boolean => role === 'auditor';

/** What a key keeps that is limited to tasks or models: its own work, and reading. */
const SCOPED_PERMISSIONS: readonly Permission[] = [...READ_PERMISSIONS, 'work.create', 'uploads.create'];

/** With these, a key could make a credential that lives longer than itself. */
const LASTING_PERMISSIONS: readonly Permission[] = ['keys.manage_own', 'keys.manage', 'people.manage'];

/** Whether a key keeps a permission in spite of its scopes and its end. Decision: Limits of a credential */
export function keepsPermission(
  { scopes, expires }: { scopes: { read_only: boolean } | null; expires: boolean },
  permission: Permission,
): boolean {
  if (expires && LASTING_PERMISSIONS.includes(permission)) return false;
  if (scopes === null) return true;
  return (scopes.read_only ? READ_PERMISSIONS : SCOPED_PERMISSIONS).includes(permission);
}
