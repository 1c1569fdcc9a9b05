import { useQuery, useQueryClient } from '@tanstack/react-query';
import { formatMoney, formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { estimateQuery } from '#web/api/queries/catalog.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { startBulkAction } from './bulk-action.ts';

const CONCURRENCY = 4;

/** Sums up today's prices. The same request is priced once; null: some could not be priced. */
function useTotalPrice(generations: readonly Generation[]) {
  const client = useQueryClient();
  const ids = generations.map(({ id }) => id);
  return useQuery({
    queryKey: ['estimates', 'total', ids],
    queryFn: async () => {
      const counts = new Map<string, { body: Parameters<typeof estimateQuery>[0]; count: number }>();
      // A truncated input has another price, or none.
      for (const { task, model, input } of generations.filter(({ input_truncated }) => !input_truncated)) {
        const body = { task, model, input };
        const name = JSON.stringify(body);
        counts.set(name, { body, count: (counts.get(name)?.count ?? 0) + 1 });
      }
      const queue = [...counts.values()];
      let total = 0n;
      let unknown = generations.filter(({ input_truncated }) => input_truncated).length;
      await Promise.all(
        Array.from({ length: CONCURRENCY }, async () => {
          for (let next = queue.shift(); next; next = queue.shift()) {
            const { body, count } = next;
            const price = await client.fetchQuery(estimateQuery(body)).catch(() => null);
            if (price) total += parseUsd(price.amount_usd) * BigInt(count);
            else unknown += count;
          }
        }),
      );
      return { amount_usd: formatUsd(total), unknown };
    },
    staleTime: 60_000,
    gcTime: 0,
    retry: false,
  });
}

interface RetryDialogProps {
  generations: readonly Generation[];
  onClose: () => void;
  onStarted: () => void;
}

/** Asks before it retries several generations, with their price in total. */
export function RetryDialog({ generations, onClose, onStarted }: RetryDialogProps) {
  const client = useQueryClient();
  const { data, isPending } = useTotalPrice(generations);
  const count = generations.length;
  const isFree = data?.unknown === 0 && Number(data.amount_usd) === 0;
  const price = !data ? null : isFree ? 'Free' : formatMoney(data.amount_usd);
  return (
    <ConfirmDialog
      title={`Try ${count} again?`}
      description={
        isPending
          ? 'Calculating the price…'
          : price === null
            ? 'The price could not be calculated.'
            : `${price} in total.`
      }
      consequences={[
        'Each starts as a new generation with the same settings, at today’s price.',
        ...(data && data.unknown > 0 ? [`${data.unknown} could not be priced and may add to the total.`] : []),
        'Those that already have a newer attempt are left out and listed.',
      ]}
      cancelLabel="Cancel"
      confirmLabel={price === null ? 'Try again' : `Try again · ${price}`}
      busy={isPending}
      error={null}
      onConfirm={() => {
        startBulkAction(client, 'retry', generations);
        onStarted();
      }}
      onClose={onClose}
    />
  );
}
