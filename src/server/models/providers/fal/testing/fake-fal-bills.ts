import type { ServerResponse } from 'node:http';
import {
  type FakeUpstream,
  type FakeUpstreamJob,
  sendJson,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import type { FakeFalModels } from './fake-fal-models.ts';

/** As in `GET /models/billing-events`. */
export interface FakeBillingEvent {
  request_id: string;
  endpoint_id: string;
  timestamp: string;
  output_units: number;
  unit_price: number;
  percent_discount: number | null;
  cost_estimate_nano_usd: number;
}

/** How a request that was ordered is billed. */
export type FakeBill = (event: FakeBillingEvent, job: Pick<FakeUpstreamJob, 'state'>, now: Date) => FakeBillingEvent[];

const DAY_MS = 86_400_000;
const cost = (event: FakeBillingEvent): FakeBillingEvent => {
  const { output_units, unit_price, percent_discount } = event;
  const nano = output_units * unit_price * (1 - (percent_discount ?? 0) / 100) * 1e9;
  return { ...event, cost_estimate_nano_usd: Math.round(nano) };
};
const ofSucceeded =
  (change: (event: FakeBillingEvent) => FakeBillingEvent[]): FakeBill =>
  (event, { state }) =>
    state === 'succeeded' ? change(event) : [];
const moved = (event: FakeBillingEvent, time: Date): FakeBillingEvent[] => [
  { ...event, timestamp: time.toISOString().replace('.000Z', 'Z') },
];
/** The last Sunday of October at 01:00 UTC, and of March. */
const clockChange = (year: number, month: 2 | 9): Date => {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return new Date(last.getTime() - last.getUTCDay() * DAY_MS);
};

/** Ways to bill what was really ordered at the fake. */
export const FAKE_BILLS = {
  as_ordered: ofSucceeded((event) => [event]),
  more: ofSucceeded((event) => [cost({ ...event, unit_price: event.unit_price * 3 })]),
  less: ofSucceeded((event) => [cost({ ...event, output_units: event.output_units / 2 })]),
  discounted: ofSucceeded((event) => [cost({ ...event, percent_discount: 10 })]),
  twice: ofSucceeded((event) => [event, event]),
  never: () => [],
  /** What failed, was canceled or still runs as well. */
  unfinished: (event) => [event],
  /** Three days after the request. */
  late: (event, { state }, now) =>
    state === 'succeeded' && now.getTime() >= Date.parse(event.timestamp) + 3 * DAY_MS ? [event] : [],
  /** In the first second of the next month. */
  after_midnight: ofSucceeded((event) => {
    const time = new Date(event.timestamp);
    return moved(event, new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)));
  }),
  before_midnight: ofSucceeded((event) => {
    const time = new Date(event.timestamp);
    return moved(event, new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1) - 1000));
  }),
  /** In the hour that Europe has twice in autumn, with the offset of before. */
  in_repeated_hour: ofSucceeded((event) => {
    const time = new Date(clockChange(new Date(event.timestamp).getUTCFullYear(), 9).getTime() - 1_800_000);
    const local = new Date(time.getTime() + 2 * 3_600_000).toISOString().replace('.000Z', '+02:00');
    return [{ ...event, timestamp: local }];
  }),
} as const satisfies Record<string, FakeBill>;

export interface FakeBilling {
  /** Of the second key; null: none may read bills. */
  key: string | null;
  bill: FakeBill;
  /** Of requests that nobody ordered here. */
  others: FakeBillingEvent[];
  page_events: number;
  now: () => Date;
}

export const createFakeBilling = (): FakeBilling => ({
  key: null,
  bill: FAKE_BILLS.as_ordered,
  others: [],
  page_events: 10_000,
  now: () => new Date(),
});

/** A request of another key of the account. */
export const unknownRequest = (timestamp: string, nano = 400_000_000): FakeBillingEvent => ({
  request_id: '0aa00000-9999-4c1e-9a51-000000000009',
  endpoint_id: 'fal-ai/of-somebody-else',
  timestamp,
  output_units: 1,
  unit_price: nano / 1e9,
  percent_discount: null,
  cost_estimate_nano_usd: nano,
});

const eventOf = (facts: Omit<FakeBillingEvent, 'percent_discount' | 'cost_estimate_nano_usd'>) =>
  cost({ ...facts, percent_discount: null, cost_estimate_nano_usd: 0 });

/** One page of the events of a period, or why it is refused. */
function pageOfEvents(
  events: readonly FakeBillingEvent[],
  query: URLSearchParams,
  pageEvents: number,
): { status: number; body: object } {
  const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
  const limit = Math.min(Number(query.get('limit') ?? 100), pageEvents);
  if (!(end > start) || end - start > 90 * DAY_MS || Number(query.get('limit') ?? 1) > 10_000)
    return {
      status: 400,
      body: { error: { type: 'validation_error', message: 'Date range is capped at 90 days per request' } },
    };
  const listed = events.filter(({ timestamp }) => Date.parse(timestamp) >= start && Date.parse(timestamp) < end);
  const page = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 1);
  const has_more = listed.length > page * limit;
  const next_cursor = has_more ? Buffer.from(String(page + 1)).toString('base64') : null;
  return {
    status: 200,
    body: { billing_events: listed.slice((page - 1) * limit, page * limit), next_cursor, has_more },
  };
}

const FOCUS_HEADERS =
  'BilledCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeClass,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,PricingQuantity,PricingUnit,ResourceId,ServiceName,x_RequestId';

/** The same bill as a FOCUS file. */
export function toFocusFile(events: readonly FakeBillingEvent[], month: string): string {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  const time = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
  const rows = events
    .filter(({ timestamp }) => new Date(timestamp) >= from && new Date(timestamp) < to)
    .map(({ request_id, endpoint_id, timestamp, output_units, cost_estimate_nano_usd }) => {
      const at = time(new Date(timestamp));
      const amount = (cost_estimate_nano_usd / 1e9).toFixed(9);
      return `${amount},USD,${time(from)},${time(to)},Usage,,${endpoint_id},${at},${at},${output_units},units,${endpoint_id},fal,${request_id}`;
    });
  return `${[FOCUS_HEADERS, ...rows].join('\r\n')}\r\n`;
}

/** The same bill as a console in Europe exports it, in EUR. @param rate dollars for one euro */
export function toEuroFile(events: readonly FakeBillingEvent[], rate: number): string {
  const rows = events.map(({ request_id, endpoint_id, timestamp, cost_estimate_nano_usd }) => {
    const day = new Date(timestamp).toISOString().slice(0, 10).split('-').toReversed().join('.');
    const amount = (cost_estimate_nano_usd / 1e9 / rate).toFixed(9).replace('.', ',');
    return `"${day}";"${endpoint_id}";"${request_id}";"${amount}";"EUR"`;
  });
  return `\ufeff${['"Datum";"Modell";"Vorgang";"Betrag";"Währung"', ...rows].join('\r\n')}\r\n`;
}

/** What was ordered at the fake. */
interface FakeOrders {
  bills: FakeBilling;
  models: FakeFalModels;
  submits: { input: Record<string, unknown> }[];
  endpoints: Map<string, string>;
  ordered: Map<string, Date>;
  billable_units: string | null;
  unit_price: number;
}

/** What fal bills for what was ordered, the newest first, and for others. */
export function listBillingEvents({ jobs }: Pick<FakeUpstream, 'jobs'>, orders: FakeOrders): FakeBillingEvent[] {
  const { bills, models, endpoints, submits, ordered, billable_units, unit_price } = orders;
  const own = jobs.flatMap((job, index) => {
    const endpoint_id = endpoints.get(job.id) ?? '';
    const model = Object.hasOwn(models, endpoint_id) ? models[endpoint_id] : undefined;
    const event = eventOf({
      request_id: job.id,
      endpoint_id,
      timestamp: (ordered.get(job.id) ?? bills.now()).toISOString(),
      output_units: Number(billable_units ?? model?.unitsOf(submits[index]?.input ?? {}) ?? 1),
      unit_price: model?.price?.unit_price ?? unit_price,
    });
    return bills.bill(event, job, bills.now());
  });
  return [...bills.others, ...own.toReversed()];
}

/** `GET /models/billing-events` and `GET /account/focus`, which only a key of scope Admin may read. */
export function sendBill(
  upstream: FakeUpstream,
  orders: FakeOrders,
  { path, key, searchParams }: { path: string; key: string | undefined; searchParams: URLSearchParams },
  response: ServerResponse,
): void {
  const { bills } = orders;
  if (bills.key === null || key !== bills.key) {
    const isWorkKey = key === upstream.api_key;
    const message = isWorkKey ? 'This endpoint needs an ADMIN key' : `Key ${key} is not valid`;
    return sendJson(response, isWorkKey ? 403 : 401, { error: { type: 'authorization_error', message } });
  }
  const events = listBillingEvents(upstream, orders);
  if (path === '/account/focus') {
    const month = searchParams.get('month') ?? bills.now().toISOString().slice(0, 7);
    return void response.writeHead(200, { 'content-type': 'text/csv' }).end(toFocusFile(events, month));
  }
  const { status, body } = pageOfEvents(events, searchParams, bills.page_events);
  sendJson(response, status, body);
}
