import { useMemo } from 'react';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { useRootFontSize } from '#web/ui/use-root-font-size.ts';
import { useWindowList } from '#web/ui/use-window-list.ts';
import { DeliveryRow } from './delivery-row.tsx';
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
  const rowHeight_px = ROW_REM * useRootFontSize();
  const keys = useMemo(() => deliveries.map(({ id }) => id), [deliveries]);
  const { ref, height_px, rows } = useWindowList({ keys, rowHeight_px, covered_px: 0, reveal: null, onNearEnd });
  return (
    <>
      <ul ref={ref} aria-label="Deliveries" className="relative border-t border-line" style={{ height: height_px }}>
        {rows.map(({ index, key, top_px }) => {
          const delivery = deliveries[index];
          return delivery ? (
            <li
              key={key}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : deliveries.length}
              className="absolute inset-x-0 top-0"
              style={{ height: rowHeight_px, transform: `translateY(${top_px}px)` }}
            >
              <DeliveryRow delivery={delivery} isOpen={delivery.id === openId} />
            </li>
          ) : null;
        })}
      </ul>
      {hasMore ? <DeliverySkeleton rows={2} /> : null}
    </>
  );
}
