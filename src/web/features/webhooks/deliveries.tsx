import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useMemo } from 'react';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { useDeliveries } from '#web/api/queries/webhooks.ts';
import {
  CollectionBar,
  CollectionRows,
  defineCollection,
  useCollection,
  useCollectionCommands,
} from '#web/collections/collection-view.tsx';
import { type Column, ROW_LINK } from '#web/collections/list-columns.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/display/skeleton.tsx';
import { Countdown } from './countdown.tsx';
import { DeliveryBadge, formatDeliveryOutcome } from './delivery-badge.tsx';
import { EventName } from './event-name.tsx';
import { DELIVERY_FILTERS } from './webhook-search.ts';

function DeliveryLink({ delivery: { id, endpoint_id, event_type } }: { delivery: WebhookDelivery }) {
  const isOpen = useParams({ strict: false }).delivery === id;
  return (
    <Link
      to="/webhooks/$endpoint/$delivery"
      params={{ endpoint: endpoint_id, delivery: id }}
      search={(search) => search}
      resetScroll={false}
      replace={isOpen}
      aria-current={isOpen || undefined}
      {...ROW_LINK}
      className={cx(ROW_LINK.className, 'min-w-0 truncate font-medium @max-md:[&>span]:hidden')}
    >
      <EventName type={event_type} />
    </Link>
  );
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    id: 'what',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'flex min-w-0 items-center gap-2 pb-0.5',
    skeleton: 'h-4 w-40',
    cell: (delivery) => (
      <>
        <DeliveryLink delivery={delivery} />
        {delivery.test ? <Badge>Test</Badge> : null}
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

const deliveriesOf = (endpointId: string) =>
  defineCollection({
    label: 'Deliveries',
    item: 'delivery',
    group: 'Webhooks',
    filters: DELIVERY_FILTERS,
    useList: ({ status }) => useDeliveries(endpointId, status),
    body: {
      columns: COLUMNS,
      narrow: { columns: 'minmax(0,1fr) auto', areas: ['what status', 'how time'] },
      rowRem: 3.75,
    },
    skeletonRows: 6,
    Empty: NoDeliveries,
  });

const NoDeliveries = () => (
  <EmptyState icon={<History aria-hidden="true" />} title="No deliveries yet">
    Send a test event to check that your receiver accepts it.
  </EmptyState>
);

const route = getRouteApi('/webhooks/$endpoint');

/** The deliveries to an endpoint; the details of one open beside them. */
export function Deliveries({ endpoint, openId }: { endpoint: string; openId: string | undefined }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const collection = useMemo(() => deliveriesOf(endpoint), [endpoint]);
  const state = useCollection(collection, {
    search,
    openId,
    onFollow: ({ id }) =>
      void navigate({
        to: '/webhooks/$endpoint/$delivery',
        params: { endpoint, delivery: id },
        search: (before) => before,
        replace: true,
        resetScroll: false,
      }),
  });
  const close = () => {
    if (openId === undefined) return;
    void navigate({ to: '/webhooks/$endpoint', params: { endpoint }, search: (before) => before, resetScroll: false });
    state.cursor.moveTo(openId, { follow: false });
  };
  useCollectionCommands(collection, state, {
    commands: [{ keys: 'escape', label: 'Close the panel', run: close }],
  });
  return (
    <section aria-label="Deliveries" className="@container">
      <h2 className="text-md font-semibold">Deliveries</h2>
      <CollectionBar collection={collection} state={state} />
      <CollectionRows collection={collection} state={state} />
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
