import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { DeliveryTableRow } from './delivery-table-row.tsx';
import { DeliverySkeleton } from './delivery-skeleton.tsx';

const ROW_REM = 3.75;

export interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[];
  openId: string | undefined;
  hasMore: boolean;
  onNearEnd: () => void;
}

/** Deliveries, newest first. */
export function DeliveryTable({ deliveries, openId, hasMore, onNearEnd }: DeliveryTableProps) {
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
