import { getRouteApi } from '@tanstack/react-router';
import { History } from 'lucide-react';
import type { useDeliveries } from '#web/api/queries/webhooks.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { DELIVERY_STATE_LABELS } from './delivery-labels.ts';
import { DeliverySkeleton } from './delivery-skeleton.tsx';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { DeliveryTableRow } from './delivery-table-row.tsx';

const ROW_REM = 3.75;

interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[];
  openId: string | undefined;
  hasMore: boolean;
  onNearEnd: () => void;
}

function DeliveryTable({ deliveries, openId, hasMore, onNearEnd }: DeliveryTableProps) {
  return (
    <RowList
      label="Deliveries"
      items={deliveries}
      row_rem={ROW_REM}
      hasMore={hasMore}
      more={<DeliverySkeleton rows={2} />}
      onNearEnd={onNearEnd}
      className="border-t border-line"
    >
      {(delivery) => <DeliveryTableRow delivery={delivery} isOpen={delivery.id === openId} />}
    </RowList>
  );
}

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
  const navigate = route.useNavigate();
  const show = (value: (typeof STATUS_OPTIONS)[number]['value']) =>
    void navigate({ to: '.', search: value === 'all' ? {} : { deliveries: value }, replace: true, resetScroll: false });
  return (
    <section aria-label="Deliveries" className="@container">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-md font-semibold">Deliveries</h2>
        <SegmentedControl label="Status" value={status ?? 'all'} options={STATUS_OPTIONS} onChange={show} />
      </div>
      <ListStates
        list={list}
        what="Deliveries"
        older="Older deliveries"
        loading={
          <Loading label="Loading deliveries" className="border-t border-line">
            <DeliverySkeleton rows={6} />
          </Loading>
        }
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
      >
        <DeliveryTable deliveries={list.rows} openId={openId} hasMore={list.hasMore} onNearEnd={list.onNearEnd} />
      </ListStates>
    </section>
  );
}
