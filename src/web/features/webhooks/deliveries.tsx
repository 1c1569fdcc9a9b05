import { getRouteApi, Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import type { useDeliveries } from '#web/api/queries/webhooks.ts';
import type { Column } from '#web/collections/list-columns.ts';
import { ResourceList } from '#web/collections/resource-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Countdown } from './countdown.tsx';
import { DELIVERY_STATE_LABELS, DeliveryBadge, formatDeliveryOutcome } from './delivery-badge.tsx';
import { EventName } from './event-name.tsx';

const NARROW = { columns: 'minmax(0,1fr) auto', areas: ['what status', 'how time'] };

const columnsOf = (openId: string | undefined): readonly Column<WebhookDelivery>[] => [
  {
    id: 'what',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'flex min-w-0 items-center gap-2 pb-0.5',
    skeleton: 'h-4 w-40',
    cell: ({ id, endpoint_id, event_type, test }) => (
      <>
        <Link
          to="/webhooks/$endpoint/$delivery"
          params={{ endpoint: endpoint_id, delivery: id }}
          search={(search) => search}
          resetScroll={false}
          replace={id === openId}
          data-delivery={id}
          aria-current={id === openId || undefined}
          className="min-w-0 truncate font-medium outline-none @max-md:[&>span]:hidden after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          <EventName type={event_type} />
        </Link>
        {test ? <Badge>Test</Badge> : null}
      </>
    ),
  },
  {
    id: 'status',
    width: '7rem',
    line: 1,
    className: 'justify-self-end pb-0.5 @3xl:justify-self-start',
    skeleton: 'h-5 w-20',
    cell: (delivery) => <DeliveryBadge delivery={delivery} />,
  },
  {
    id: 'how',
    width: '13rem',
    line: 2,
    className: 'min-w-0 truncate pt-0.5 text-sm text-ink-3',
    skeleton: 'h-4 w-28',
    cell: (delivery) =>
      delivery.status === 'pending' ? (
        <Countdown key={delivery.next_attempt_at} delivery={delivery} />
      ) : (
        formatDeliveryOutcome(delivery)
      ),
  },
  {
    id: 'time',
    width: '7rem',
    line: 2,
    align: 'right',
    className: 'relative z-1 pt-0.5 text-right text-sm text-ink-3',
    skeleton: 'h-4 w-16',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

const route = getRouteApi('/webhooks/$endpoint');
const STATUS_OPTIONS = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending or retrying' },
  { value: 'succeeded', label: DELIVERY_STATE_LABELS.succeeded.label },
  { value: 'failed', label: DELIVERY_STATE_LABELS.failed.label },
] as const;

interface DeliveriesProps {
  list: ReturnType<typeof useDeliveries>;
  openId: string | undefined;
}

export function Deliveries({ list, openId }: DeliveriesProps) {
  const { deliveries: status } = route.useSearch();
  const columns = useMemo(() => columnsOf(openId), [openId]);
  const rowProps = useCallback(
    ({ id }: WebhookDelivery) => (id === openId ? { className: 'bg-press! shadow-[inset_2px_0_0_var(--amber)]' } : {}),
    [openId],
  );
  const navigate = route.useNavigate();
  const show = (value: (typeof STATUS_OPTIONS)[number]['value']) =>
    void navigate({ to: '.', search: value === 'all' ? {} : { deliveries: value }, replace: true, resetScroll: false });
  return (
    <section aria-label="Deliveries" className="@container">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-md font-semibold">Deliveries</h2>
        <SegmentedControl label="Status" value={status ?? 'all'} options={STATUS_OPTIONS} onChange={show} />
      </div>
      <ResourceList
        label="Deliveries"
        list={list}
        columns={columns}
        narrow={NARROW}
        rowRem={3.75}
        what="Deliveries"
        older="Older deliveries"
        loadingLabel="Loading deliveries"
        skeletonRows={6}
        className="border-t border-line"
        rowProps={rowProps}
        empty={
          status ? (
            <NoMatches action="Show all" onClear={() => show('all')}>
              No deliveries have this status.
            </NoMatches>
          ) : (
            <EmptyState icon={<History aria-hidden="true" />} title="No deliveries yet">
              Send a test event to check that your receiver accepts it.
            </EmptyState>
          )
        }
      />
    </section>
  );
}

/** Stands for the list while its endpoint is loading. */
export const DeliverySkeleton = () => (
  <SkeletonRows rows={5} className="flex h-15 items-center justify-between px-3">
    <Skeleton className="h-4 w-40" />
    <Skeleton className="h-5 w-20" />
  </SkeletonRows>
);
