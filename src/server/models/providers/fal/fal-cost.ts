import * as z from 'zod/mini';
import { toMillionths } from '#contract/money/money.ts';
import { dollarsToBill, parseDecimal, toUpstreamCost } from '#server/models/engine/job-cost.ts';
import type { UpstreamCost } from '#server/models/engine/engine.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';

/** `GET /v1/models/pricing` of fal's Platform API, github.com/tryAGI/Fal openapi.json, read 2026-11-22. */
const pricingSchema = z.object({
  prices: z.array(
    z.object({ endpoint_id: z.string(), unit_price: z.number(), unit: z.string(), currency: z.string() }),
  ),
});
export type FalPrice = z.infer<typeof pricingSchema>['prices'][number];

const PRICE_LIFETIME_MS = 60 * 60_000;
const TIMEOUT_MS = 10_000;

/** @returns null if fal has no price for the endpoint @throws the errors of `UpstreamHttp` */
export async function fetchFalPrice(
  http: Pick<UpstreamHttp, 'requestJson'>,
  endpoint: string,
  signal: AbortSignal,
): Promise<FalPrice | null> {
  const path = `/models/pricing?endpoint_id=${encodeURIComponent(endpoint)}`;
  const { data } = pricingSchema.safeParse(await http.requestJson(path, { signal, timeoutMs: TIMEOUT_MS }));
  return data?.prices.find(({ endpoint_id }) => endpoint_id === endpoint) ?? null;
}

/** What fal bills for a request: units of the endpoint's price. */
export interface FalBill {
  cost: UpstreamCost | null;
  /** null: unreadable. */
  units: number | null;
  /** As in `FalPrice`. */
  unit: string;
}

export type FalCostMeter = (endpoint: string, headers: Headers, signal: AbortSignal) => Promise<FalBill | null>;

/** @param http reaches fal's Platform API. A price that it does not return now leaves the cost unknown. */
export function createFalCostMeter(http: Pick<UpstreamHttp, 'requestJson'>): FalCostMeter {
  const prices = new Map<string, { price: FalPrice; read_at: number }>();

  async function readPrice(endpoint: string, signal: AbortSignal): Promise<FalPrice | null> {
    const known = prices.get(endpoint);
    if (known && Date.now() - known.read_at < PRICE_LIFETIME_MS) return known.price;
    try {
      const price = await fetchFalPrice(http, endpoint, signal);
      if (price) prices.set(endpoint, { price, read_at: Date.now() });
      return price;
    } catch (error) {
      if (signal.aborted) throw error;
      return known?.price ?? null;
    }
  }

  return async (endpoint, headers, signal) => {
    const billed = headers.get('x-fal-billable-units');
    if (billed === null) return null;
    const price = await readPrice(endpoint, signal);
    if (price?.currency !== 'USD' || !(price.unit_price >= 0)) return null;
    const units = parseDecimal(billed);
    const bill = dollarsToBill(units * price.unit_price);
    return {
      cost: toUpstreamCost(bill, 'computed'),
      units: bill === 'unreadable' || toMillionths(units) === null ? null : units,
      unit: price.unit,
    };
  };
}
