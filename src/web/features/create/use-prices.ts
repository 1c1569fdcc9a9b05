import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type PriceBook, PRICES } from '#contract/pricing.ts';
import { parsePrices } from '#contract/price-wire-format.ts';
import { pricingQuery } from '#web/api/queries/catalog.ts';

/**
 * The prices of the service; null until it has said them, as a wrong price is worse than a late one. Where it can't be
 * asked they are the published ones, and the bill says so.
 */
export function usePrices(): PriceBook | null {
  const { data, isError } = useQuery(pricingQuery);
  return useMemo(() => {
    if (data) return parsePrices(data);
    return isError ? PRICES : null;
  }, [data, isError]);
}
