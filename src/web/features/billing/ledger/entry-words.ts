import type { LedgerType } from '#contract/ledger-types.ts';
import type { Tone } from '#web/ui/badge.tsx';

/** What each kind of ledger entry is called, what it means, and how it looks. */
export const ENTRY_WORDS = {
  TOP_UP: { label: 'Top-up', sentence: 'Money was paid in.', tone: 'good' },
  ADMIN_CREDIT: { label: 'Credit', sentence: 'Whoever runs the studio added money.', tone: 'good' },
  RESERVE: {
    label: 'Reserved',
    sentence: 'Set aside when work started, so that it can be paid when it ends.',
    tone: 'neutral',
  },
  RELEASE: { label: 'Released', sentence: 'The whole reservation came back when the work ended.', tone: 'neutral' },
  SETTLE: { label: 'Charged', sentence: 'The price of finished work.', tone: 'amber' },
  REFUND: { label: 'Refunded', sentence: 'A charge was given back.', tone: 'good' },
  ADJUSTMENT: {
    label: 'Corrected',
    sentence: 'Whoever runs the studio corrected the balance, for the reason given.',
    tone: 'info',
  },
} satisfies Record<LedgerType, { label: string; sentence: string; tone: Tone }>;
