import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Countdown } from './countdown.tsx';
import { DeliveryBadge } from './delivery-badge.tsx';
import { formatDeliveryOutcome } from './delivery-labels.ts';
import { EventName } from './event-name.tsx';

/** Two lines in a narrow container, columns in a wide one. Rows have the same height in both. */
export const deliveryRowGrid = cx(
  "grid items-center gap-x-4 px-3 [grid-template-areas:'what_status'_'how_time'] grid-cols-[minmax(0,1fr)_auto]",
  "@3xl:[grid-template-areas:'what_status_how_time'] @3xl:grid-cols-[minmax(0,1fr)_7rem_13rem_7rem]",
);

export const DeliveryTableRow = memo(function DeliveryTableRow({
  delivery,
  isOpen,
}: {
  delivery: WebhookDelivery;
  isOpen: boolean;
}) {
  const { id, endpoint_id, event_type, test, status, created_at } = delivery;
  return (
    <div
      className={cx(
        deliveryRowGrid,
        'relative h-full border-b border-line transition-colors hover:bg-hover',
        isOpen && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
      )}
    >
      <p className="flex min-w-0 items-center gap-2 self-end pb-0.5 [grid-area:what] @3xl:self-center @3xl:pb-0">
        <Link
          to="/webhooks/$endpoint/$delivery"
          params={{ endpoint: endpoint_id, delivery: id }}
          search={(search) => search}
          resetScroll={false}
          replace={isOpen}
          data-delivery={id}
          aria-current={isOpen || undefined}
          className="min-w-0 truncate font-medium outline-none @max-md:[&>span]:hidden after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          <EventName type={event_type} />
        </Link>
        {test ? <Badge>Test</Badge> : null}
      </p>
      <div className="self-end justify-self-end pb-0.5 [grid-area:status] @3xl:self-center @3xl:justify-self-start @3xl:pb-0">
        <DeliveryBadge delivery={delivery} />
      </div>
      <p className="min-w-0 self-start truncate pt-0.5 text-sm text-ink-3 [grid-area:how] @3xl:self-center @3xl:pt-0">
        {status === 'pending' ? (
          <Countdown key={delivery.next_attempt_at} delivery={delivery} />
        ) : (
          formatDeliveryOutcome(delivery)
        )}
      </p>
      <p className="relative z-1 self-start pt-0.5 text-right text-sm text-ink-3 [grid-area:time] @3xl:self-center @3xl:pt-0">
        <RelativeTime at={created_at} />
      </p>
    </div>
  );
});
