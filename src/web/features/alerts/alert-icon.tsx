import { Check, CircleAlert, MessageSquare, TriangleAlert } from 'lucide-react';
import type { AlertKind } from '#contract/alert-kinds.ts';
import { cx } from '#web/ui/cx.ts';

/** Work is refused, events are lost, or money may be wrong. */
const CRITICAL_KINDS: ReadonlySet<AlertKind> = new Set([
  'budget_exhausted',
  'endpoint_disabled',
  'verification_mismatch',
  'low_disk_space',
]);

/** News, not trouble. */
const NEWS_ICONS: Partial<Record<AlertKind, typeof Check>> = { client_answered: MessageSquare, client_approved: Check };

export function AlertIcon({ kind, className }: { kind: AlertKind; className?: string }) {
  const News = NEWS_ICONS[kind];
  if (News) return <News aria-hidden="true" className={cx('size-4 flex-none text-good', className)} />;
  const isCritical = CRITICAL_KINDS.has(kind);
  const Icon = isCritical ? CircleAlert : TriangleAlert;
  return (
    <Icon
      aria-hidden="true"
      className={cx('size-4 flex-none', isCritical ? 'text-bad' : 'text-amber-text', className)}
    />
  );
}
