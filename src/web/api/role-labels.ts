import type { Role } from '#contract/permissions.ts';

export const ROLE_LABELS = {
  administrator: { label: 'Administrator', description: 'Does everything: people, providers, money and settings' },
  member: { label: 'Member', description: 'Generates, and sees own spending' },
  auditor: { label: 'Auditor', description: 'Sees everything, billing and logs included, and changes nothing' },
  viewer: { label: 'Viewer', description: 'Views and downloads what others make' },
} satisfies Record<Role, { label: string; description: string }>;
