import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parsePrices, type PriceBook, PRICES } from '#contract/money/pricing.ts';
import { pricingQuery } from '#web/api/queries/catalog.ts';

/** null while loading, because a wrong price is worse than a late one. If loading fails, the published prices. */
export function usePrices(): PriceBook | null {
  const { data, isError } = useQuery(pricingQuery);
  return useMemo(() => {
    if (data) return parsePrices(data);
    return isError ? PRICES : null;
  }, [data, isError]);
}
