import type { LedgerType } from '#contract/ledger.ts';
import type { Tone } from '#web/ui/badge.tsx';

/** What each kind of ledger entry is called, what it means, and how it looks. */
export const LEDGER_TYPE_LABELS = {
  TOP_UP: { label: 'Top-up', sentence: 'Money was paid in.', tone: 'good' },
  ADMIN_CREDIT: { label: 'Credit', sentence: 'An admin added money.', tone: 'good' },
  RESERVE: {
    label: 'Reserved',
    sentence: 'Set aside when work started, to pay for it when it ends.',
    tone: 'neutral',
  },
  RELEASE: { label: 'Released', sentence: 'The reservation was released when the work ended.', tone: 'neutral' },
  SETTLE: { label: 'Charged', sentence: 'The price of finished work.', tone: 'amber' },
  REFUND: { label: 'Refunded', sentence: 'A charge was refunded, in full or in part.', tone: 'good' },
  ADJUSTMENT: {
    label: 'Corrected',
    sentence: 'An admin corrected the balance, for the reason given.',
    tone: 'info',
  },
} satisfies Record<LedgerType, { label: string; sentence: string; tone: Tone }>;
