import * as z from 'zod/mini';
import { formatMoney, formatNano, toNanoUsd } from '#contract/money/money.ts';
import { BillFileError } from '#server/accounts/closing/bills/bill-file-error.ts';
import { parseAmount } from '#server/accounts/closing/bills/parse-amount.ts';
import { createUpstreamHttp } from '#server/models/engine/upstream-http.ts';
import type { BillSource, SourceLine } from '#server/models/providers/bill-source.ts';
import { falHeaders } from './fal-adapter.ts';
import { mapFalError } from './fal-errors.ts';
import { openFal } from './open-fal.ts';

const PAGE_EVENTS = 10_000;

const eventSchema = z.object({
  request_id: z.string(),
  endpoint_id: z.string(),
  timestamp: z.iso.datetime({ offset: true }),
  output_units: z.nullish(z.number()),
  unit_price: z.nullish(z.number()),
  percent_discount: z.nullish(z.number()),
  cost_estimate_nano_usd: z.pipe(z.pipe(z.number(), z.transform(toNanoUsd)), z.bigint()),
});
type FalEvent = z.infer<typeof eventSchema>;

const readNumber = (value: number | null) => (value === null ? null : (parseAmount(String(value), '.')?.nano ?? null));

const pageSchema = z.object({
  billing_events: z.array(eventSchema),
  next_cursor: z.nullish(z.string()),
  has_more: z.boolean(),
});

/** `GET /v1/models/billing-events`: fal.ai/docs, “Billing Events”, read 2026-11-29. A period has at most 90 days. */
export const falBills: BillSource = {
  key_hint: 'A key of scope Admin. One of scope API can’t read bills.',
  key_url: 'https://fal.ai/dashboard/keys',
  open: (connection) =>
    createUpstreamHttp({
      service: openFal(connection).platform,
      api_key: connection.api_key,
      headers: falHeaders,
      mapError: mapFalError,
    }),
  path({ from, to }, cursor) {
    const query = new URLSearchParams({
      start: from.toISOString(),
      end: to.toISOString(),
      limit: String(PAGE_EVENTS),
      ...(cursor === null ? {} : { cursor }),
    });
    return `/models/billing-events?${query.toString()}`;
  },
  parse(page) {
    const { data } = pageSchema.safeParse(page);
    if (!data) throw new BillFileError('fal sent a page that is no list of billing events.');
    const { billing_events, next_cursor = null, has_more } = data;
    if (has_more && next_cursor === null)
      throw new BillFileError('fal has more billing events, but does not say where.');
    return { lines: billing_events.map(toLine), cursor: has_more ? next_cursor : null };
  },
};

function toLine({ request_id, endpoint_id, timestamp, cost_estimate_nano_usd, ...facts }: FalEvent): SourceLine {
  const { output_units = null, unit_price = null, percent_discount = null } = facts;
  const price_nano = readNumber(unit_price);
  const terms = [
    output_units === null || price_nano === null ? null : `${output_units} × ${formatMoney(formatNano(price_nano))}`,
    percent_discount ? `${percent_discount} % discount` : null,
  ];
  return {
    charged_at: new Date(timestamp),
    category: cost_estimate_nano_usd < 0n ? 'credit' : 'usage',
    service: endpoint_id,
    description: terms.filter((term) => term !== null).join(', ') || null,
    request_id,
    quantity_nano: readNumber(output_units),
    unit: null,
    amount_nano: cost_estimate_nano_usd,
  };
}
