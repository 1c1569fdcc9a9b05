import type { LedgerType } from '#contract/ledger.ts';
import type { Tone } from '#web/ui/badge.tsx';

export const LEDGER_TYPE_LABELS = {
  TOP_UP: { label: 'Top-up', sentence: 'Funds were added by payment.', tone: 'good' },
  ADMIN_CREDIT: { label: 'Credit', sentence: 'An administrator added credit.', tone: 'good' },
  RESERVE: { label: 'Reserved', sentence: 'Set aside while work is unfinished.', tone: 'neutral' },
  RELEASE: { label: 'Released', sentence: 'The reservation was released when work finished.', tone: 'neutral' },
  SETTLE: { label: 'Charged', sentence: 'The final price of finished work.', tone: 'amber' },
  REFUND: { label: 'Refunded', sentence: 'A charge was refunded, in full or in part.', tone: 'good' },
  ADJUSTMENT: { label: 'Adjusted', sentence: 'An administrator adjusted the balance.', tone: 'info' },
} satisfies Record<LedgerType, { label: string; sentence: string; tone: Tone }>;
