import { hasReadOnlyKeys, type Role } from '#contract/permissions.ts';
import type { KeyScopes } from '#contract/resources/api-key.ts';

/** The scopes of a key of a person: those that were asked for, and reading alone where the role allows no more. */
export const limitScopes = (scopes: KeyScopes | null, role: Role | undefined): KeyScopes | null =>
  hasReadOnlyKeys(role) ? { tasks: null, models: null, ...scopes, read_only: true } : scopes;
