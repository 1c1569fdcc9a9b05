import type { KeyKind } from '#contract/resources/api-key.ts';

/** What each kind of key is called, and what whoever holds it may do. */
export const KIND_WORDS = {
  member: {
    label: 'Member key',
    sentence: 'For a person or a program that makes things: create, see everything made, read billing.',
  },
  organization: {
    label: 'Organization key',
    sentence: 'For whoever runs the studio: everything a member may, and also keys, credit and webhooks.',
  },
  publishing: {
    label: 'Publishing key',
    sentence: 'For a service that only hands in files: it can upload and do nothing else.',
  },
} satisfies Record<KeyKind, { label: string; sentence: string }>;

export const KINDS = Object.keys(KIND_WORDS).filter((kind): kind is KeyKind => Object.hasOwn(KIND_WORDS, kind));
