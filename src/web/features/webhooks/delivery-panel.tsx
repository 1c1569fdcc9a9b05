import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { deliveryQuery } from '#web/api/queries/webhooks.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyAddressButton } from '#web/ui/controls/copy-button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { DeliveryBadge } from './delivery-badge.tsx';
import { DeliveryDetails } from './delivery-details.tsx';

const route = getRouteApi('/webhooks/$endpoint/$delivery');

export function DeliveryPanel() {
  const { delivery: id } = route.useParams();
  const operator = useCan('webhooks.manage');
  return operator ? (
    <SidePanel key={id} label="Open delivery">
      <DeliveryPanelContent id={id} />
    </SidePanel>
  ) : null;
}

function DeliveryPanelContent({ id }: { id: string }) {
  const { endpoint } = route.useParams();
  const navigate = useNavigate();
  const deliveryRead = useQuery(deliveryQuery(id));
  const { data: delivery, refetch } = deliveryRead;
  const problem = queryError(deliveryRead);
  const close = () =>
    void navigate({ to: '/webhooks/$endpoint', params: { endpoint }, search: (search) => search, resetScroll: false });
  return (
    <>
      <SidePanelHeader
        title={delivery?.event_type ?? 'Delivery'}
        badge={delivery ? <DeliveryBadge delivery={delivery} /> : null}
        actions={<CopyAddressButton path={`/webhooks/${endpoint}/${id}`} />}
        onClose={close}
      />
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {delivery ? (
          <DeliveryDetails delivery={delivery} />
        ) : isNotFound(problem) ? (
          <EmptyState title="Delivery not found" actions={<Button onClick={close}>Back to deliveries</Button>}>
            Deliveries are deleted 30 days after their last attempt. The link may also be wrong.
          </EmptyState>
        ) : problem ? (
          <LoadError what="This delivery" error={problem} onRetry={() => void refetch()} />
        ) : (
          <Loading label="Loading delivery">
            <SkeletonText lines={6} />
          </Loading>
        )}
      </div>
    </>
  );
}
