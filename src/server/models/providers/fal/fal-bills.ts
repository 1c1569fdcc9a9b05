import * as z from 'zod/mini';
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
  cost_estimate_nano_usd: z.number().check(z.refine((nano) => Number.isSafeInteger(Math.round(nano)))),
});
type FalEvent = z.infer<typeof eventSchema>;

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
  const amount_nano = BigInt(Math.round(cost_estimate_nano_usd));
  const terms = [
    output_units === null || unit_price === null ? null : `${output_units} × $${unit_price}`,
    percent_discount ? `${percent_discount} % discount` : null,
  ];
  return {
    charged_at: new Date(timestamp),
    category: amount_nano < 0n ? 'credit' : 'usage',
    service: endpoint_id,
    description: terms.filter((term) => term !== null).join(', ') || null,
    request_id,
    quantity_nano: output_units === null ? null : (parseAmount(String(output_units), '.')?.nano ?? null),
    unit: null,
    amount_nano,
  };
}
