import type { KeyKind } from '#contract/permissions.ts';

export const KEY_KIND_LABELS = {
  member: {
    label: 'Standard key',
    sentence: 'For people and programs: create generations, see all results and read billing.',
  },
  organization: {
    label: 'Organization key',
    sentence: 'For administrators: everything a standard key can do, plus keys, credit, budgets, reviews and webhooks.',
  },
  publishing: {
    label: 'Publishing key',
    sentence: 'For services that deliver files: uploads only.',
  },
} satisfies Record<KeyKind, { label: string; sentence: string }>;

export const KEY_KIND_OPTIONS = Object.keys(KEY_KIND_LABELS).filter((kind): kind is KeyKind =>
  Object.hasOwn(KEY_KIND_LABELS, kind),
);
