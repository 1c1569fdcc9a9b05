import { ROLES, type Role } from '#contract/permissions.ts';
import type { ModelAudience } from '#contract/resources/added-model.ts';
import { formatList } from '#web/ui/formats.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';

/** An audience as its form holds it. */
export interface AudienceValues {
  /** Everybody, or those roles and tags. */
  isLimited: boolean;
  roles: readonly Role[];
  tags: readonly { name: string; value: string }[];
}

export const toAudienceValues = ({ roles, tags }: ModelAudience): AudienceValues => ({
  isLimited: roles !== null || tags !== null,
  roles: roles ?? ROLES,
  tags: Object.entries(tags ?? {}).map(([name, value]) => ({ name, value })),
});

/** @returns null for an audience of nobody */
export function toAudience({ isLimited, roles, tags }: AudienceValues): ModelAudience | null {
  if (!isLimited) return { roles: null, tags: null };
  if (roles.length === 0) return null;
  const set = tags.filter(({ name, value }) => name !== '' && value.trim() !== '');
  return {
    roles: roles.length === ROLES.length ? null : ROLES.filter((role) => roles.includes(role)),
    tags: set.length === 0 ? null : Object.fromEntries(set.map(({ name, value }) => [name, value.trim()])),
  };
}

/** “Everybody”; “Members, with Project = Aurora”. */
export function describeAudience({ roles, tags }: ModelAudience): string {
  const who = roles === null ? 'Everybody' : `${formatList(roles.map((role) => ROLE_LABELS[role].label))} only`;
  const which = Object.entries(tags ?? {}).map(([name, value]) => `${name} = ${value}`);
  return which.length === 0 ? who : `${who}, with ${formatList(which)}`;
}
