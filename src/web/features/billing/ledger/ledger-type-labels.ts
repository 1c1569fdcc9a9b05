import type { LedgerLineStatus, LedgerType } from '#contract/money/ledger.ts';
import type { Tone } from '#web/ui/display/badge.tsx';

export const LEDGER_TYPE_LABELS = {
  TOP_UP: { label: 'Top-up', sentence: 'Funds were added by payment.', tone: 'good' },
  ADMIN_CREDIT: { label: 'Credit', sentence: 'An administrator added credit.', tone: 'good' },
  RESERVE: { label: 'Reserved', sentence: 'Set aside while work is unfinished.', tone: 'neutral' },
  RELEASE: { label: 'Released', sentence: 'The reservation was released when work finished.', tone: 'neutral' },
  SETTLE: { label: 'Charged', sentence: 'The final price of finished work.', tone: 'amber' },
  REFUND: { label: 'Refunded', sentence: 'A charge was refunded, in full or in part.', tone: 'good' },
  ADJUSTMENT: { label: 'Adjusted', sentence: 'An administrator adjusted the balance.', tone: 'info' },
} satisfies Record<LedgerType, { label: string; sentence: string; tone: Tone }>;

export const LINE_STATUS_LABELS = {
  reserved: { label: 'Reserved', sentence: 'Set aside while the work is unfinished.', tone: 'neutral' },
  charged: { label: 'Charged', sentence: 'The final price of finished work.', tone: 'amber' },
  partly_refunded: { label: 'Part refunded', sentence: 'A part of the charge was refunded.', tone: 'info' },
  refunded: { label: 'Refunded', sentence: 'The whole charge was refunded.', tone: 'good' },
  released: { label: 'Released', sentence: 'Nothing was charged: the reservation was released.', tone: 'neutral' },
  credited: { label: 'Credit', sentence: 'Funds were added.', tone: 'good' },
  adjusted: { label: 'Adjusted', sentence: 'An administrator adjusted the balance.', tone: 'info' },
} satisfies Record<LedgerLineStatus, { label: string; sentence: string; tone: Tone }>;
