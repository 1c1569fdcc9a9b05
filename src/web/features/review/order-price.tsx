import type { UseQueryResult } from '@tanstack/react-query';
import { formatMoney, parseUsd } from '#contract/money.ts';
import type { ApprovalRequest, RequestEstimate } from '#contract/resources/request.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { DescriptionList } from '#web/ui/section.tsx';
import { OrderFunds } from './order-funds.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface OrderPriceProps {
  request: ApprovalRequest;
  estimate: UseQueryResult<RequestEstimate>;
}

const formatPrice = (amount_usd: string, is_bounded: boolean) =>
  `${is_bounded ? '' : 'at least '}${formatMoney(amount_usd)}`;

/** The price when it was asked for beside the price now. */
export function OrderPrice({ request: { amount_usd, order }, estimate: { data, error, refetch } }: OrderPriceProps) {
  const asked = formatPrice(amount_usd, order?.is_bounded ?? true);
  const now = data?.amount_usd ? formatPrice(data.amount_usd, data.is_bounded) : null;
  const isHigher = data?.amount_usd ? parseUsd(data.amount_usd) > parseUsd(amount_usd) : false;
  return (
    <div className="flex flex-col gap-3">
      <DescriptionList
        rows={[
          { name: 'When asked', value: asked },
          {
            name: 'Now',
            value: data || error ? (now ?? 'Unknown') : <Skeleton className="h-5 w-16" />,
          },
        ]}
      />
      {now !== null && now !== asked ? (
        <Callout tone={isHigher ? 'amber' : 'info'} title={isHigher ? 'The price rose' : 'The price changed'}>
          It was {asked} when it was asked for. Approve to order it for {now}.
        </Callout>
      ) : null}
      {data ? <OrderFunds {...data} /> : null}
      {data?.problem ? (
        <Callout tone="bad" title="It can’t be approved">
          {data.problem}
        </Callout>
      ) : null}
      {error ? (
        <Callout
          tone="amber"
          title="No current price"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {error.message} Approved now, it is ordered for {asked} at most.
        </Callout>
      ) : null}
    </div>
  );
}
