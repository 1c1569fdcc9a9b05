import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { RowResult } from '../rows/build-orders.ts';
import { type BatchCheck, checkRows } from './check-rows.ts';
import { estimateOrders, type OrderEstimates } from './estimate-orders.ts';
import { useDebounced } from './use-debounced.ts';

const CHECK_DELAY_MS = 400;
const NO_ESTIMATES: OrderEstimates = new Map();
let lastRevision = 0;

function nextRevision(): number {
  lastRevision += 1;
  return lastRevision;
}

export interface DryRun extends BatchCheck {
  /** Why prices are missing; null while they are known or on their way. */
  error: unknown;
  isOffline: boolean;
  retry: () => void;
}

/**
 * Validates and prices the orders of rows, without starting them.
 * @param metadata of the batch; pass the same object while it is the same
 */
export function useDryRun(
  results: readonly RowResult[],
  metadata: Readonly<Record<string, string>> | undefined,
): DryRun {
  const orderJsons = useMemo(
    () => results.map((result) => (result.state === 'order' ? JSON.stringify(result.order) : undefined)),
    [results],
  );
  const request = useMemo(
    () => ({
      revision: nextRevision(),
      metadata,
      orders: orderJsons.filter((order) => order !== undefined),
    }),
    [orderJsons, metadata],
  );
  const checked = useDebounced(request, CHECK_DELAY_MS);
  const latest = useRef({ metadata, estimates: NO_ESTIMATES });
  const { data, error, isError, fetchStatus, refetch } = useQuery({
    // The orders are too long for a key; the revision stands for them.
    queryKey: ['batch-dry-run', checked.revision],
    queryFn: async ({ signal }) => {
      const known = latest.current.metadata === checked.metadata ? latest.current.estimates : NO_ESTIMATES;
      const estimates = await estimateOrders(checked.orders, known, checked.metadata, signal);
      latest.current = { metadata: checked.metadata, estimates };
      return estimates;
    },
    enabled: checked.orders.length > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const check = useMemo(() => checkRows(results, orderJsons, data), [results, orderJsons, data]);
  return { ...check, error: isError ? error : null, isOffline: fetchStatus === 'paused', retry: () => void refetch() };
}
