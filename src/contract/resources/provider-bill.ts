import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import {
  creatorSchema,
  id,
  listSchema,
  month,
  nano,
  pathId,
  queryCursor,
  queryInteger,
  querySchema,
  timestamp,
} from '../primitives.ts';

/** What can be read from a file, by the header of its column. */
export const BILL_COLUMNS = ['date', 'amount', 'currency', 'service', 'request_id', 'quantity'] as const;
export type BillColumn = (typeof BILL_COLUMNS)[number];
/** Instead of a header: the file has no such column. */
export const NO_COLUMN = '(none)';
const MAX_HEADER_CHARACTERS = 200;
const headerName = () => z.string().check(z.minLength(1), z.maxLength(MAX_HEADER_CHARACTERS));
const columnsSchema = () =>
  z.strictObject({
    date: z.nullable(z.string()),
    amount: z.nullable(z.string()),
    currency: z.nullable(z.string()),
    service: z.nullable(z.string()),
    request_id: z.nullable(z.string()),
    quantity: z.nullable(z.string()),
  });
export type BillColumns = z.infer<ReturnType<typeof columnsSchema>>;

export const BILL_CATEGORIES = ['usage', 'purchase', 'credit', 'tax', 'adjustment'] as const;
export type BillCategory = (typeof BILL_CATEGORIES)[number];

/** `read`: from the provider itself, with a billing key. */
const BILL_FORMATS = ['focus', 'csv', 'read'] as const;
export type BillFormat = (typeof BILL_FORMATS)[number];

export const MAX_BILL_BYTES = 209_715_200;
export const MAX_BILL_LINES = 1_000_000;

/** As in the margin: `prv_…`, or `file:` and an engine. */
export const billProviderId = () => z.string().check(z.regex(/^(prv_[0-9a-z]{1,40}|file:[\w.-]{1,60})$/));
const currency = () => z.string().check(z.regex(/^[A-Z]{3}$/, 'Enter a currency such as EUR.'));

const lineFields = {
  /** Its row in the file, the header being 1. */
  row: z.int(),
  charged_at: timestamp(),
  category: z.enum(BILL_CATEGORIES),
  /** Of a period that was billed before. */
  is_correction: z.boolean(),
  service: z.nullable(z.string()),
  description: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  quantity: z.nullable(nano()),
  unit: z.nullable(z.string()),
  /** In the currency of the bill. */
  amount: nano(),
};

export const ProviderBillLine = z.strictObject({
  object: z.literal('provider_bill_line'),
  ...lineFields,
  amount_usd: nano(),
});
export type ProviderBillLine = z.infer<typeof ProviderBillLine>;

export const billProvider = () => z.strictObject({ id: z.string(), name: z.string() });

export const ProviderBill = z.strictObject({
  object: z.literal('provider_bill'),
  id: id('bil'),
  provider: billProvider(),
  month: month(),
  format: z.enum(BILL_FORMATS),
  filename: z.string(),
  size_bytes: z.int(),
  /** SHA-256 of the original file, which is kept. */
  sha256: z.string(),
  currency: currency(),
  /** Dollars for one unit of the currency; null for dollars. */
  usd_rate: z.nullable(z.string()),
  line_count: z.int(),
  amount: nano(),
  amount_usd: nano(),
  created_by: creatorSchema(),
  created_at: timestamp(),
  /** When the provider was last asked; null: a file. */
  read_at: z.nullable(timestamp()),
});
export type ProviderBill = z.infer<typeof ProviderBill>;

export const ProviderBillPreview = z.strictObject({
  object: z.literal('provider_bill_preview'),
  format: z.enum(BILL_FORMATS),
  /** Headers of the file. */
  headers: z.array(z.string()),
  /** The chosen columns, else those of the provider's last file, else guesses. */
  columns: columnsSchema(),
  decimal: z.enum(['.', ',']),
  currency: z.nullable(currency()),
  /** The first ten. */
  lines: z.array(z.strictObject(lineFields)),
  line_count: z.int(),
  /** Sum of all lines; null with a problem. */
  amount: z.nullable(nano()),
  /** null without a rate. */
  amount_usd: z.nullable(nano()),
  /** Rows with a sum, which are no lines. */
  sum_row_count: z.int(),
  /** Why the file can't be stored like this. */
  problem: z.nullable(z.string()),
});
export type ProviderBillPreview = z.infer<typeof ProviderBillPreview>;

/** A provider whose bills are read, with its billing key. */
export const BillReading = z.strictObject({
  object: z.literal('bill_reading'),
  provider: billProvider(),
  /** When the bill of the month was last read; null: not yet. */
  read_at: z.nullable(timestamp()),
  /** Why the last read of this provider failed; null: it did not. */
  problem: z.nullable(z.string()),
});
export type BillReading = z.infer<typeof BillReading>;

/** How to read a file, the bytes of which are the body. */
const fileQuery = () =>
  querySchema({
    provider_id: billProviderId(),
    month: month(),
    filename: z.string().check(z.minLength(1), z.maxLength(255)),
    ...(Object.fromEntries(BILL_COLUMNS.map((name) => [`${name}_column`, z.optional(headerName())])) as Record<
      `${BillColumn}_column`,
      z.ZodMiniOptional<ReturnType<typeof headerName>>
    >),
    decimal: z.optional(z.enum(['.', ','])),
    /** Of a file without a column for it; dollars by default. */
    currency: z.optional(currency()),
    /** Dollars for one unit of the currency. */
    usd_rate: z.optional(
      z.string().check(z.regex(/^(?!0{1,6}(\.0{1,9})?$)\d{1,6}(\.\d{1,9})?$/, 'Enter a rate such as 1.0845.')),
    ),
    /** What the invoice says, in its currency: a sum of lines that differs is refused. */
    total: z.optional(nano()),
  });

const billParams = z.object({ bill_id: pathId() });
const NOT_FOUND = { 404: ['not_found'], 422: INVALID_REQUEST } as const;

export const providerBillEndpoints = defineEndpoints('Billing', {
  preview_provider_bill: {
    summary: 'Read a bill (FOCUS or any CSV, also with gzip) without storing it',
    query: fileQuery(),
    body: 'file',
    status: 200,
    response: ProviderBillPreview,
    errors: { 422: INVALID_REQUEST },
  },
  create_provider_bill: {
    summary: 'Store a bill of a provider with its lines and its file',
    query: fileQuery(),
    body: 'file',
    status: 201,
    response: ProviderBill,
    errors: { 422: INVALID_REQUEST, 503: ['media_storage_unavailable'] },
  },
  list_bill_readings: {
    summary: 'List the providers whose bills are read, and when that of a month was',
    query: querySchema({ month: month() }),
    status: 200,
    response: listSchema(BillReading),
    errors: { 422: INVALID_REQUEST },
  },
  read_provider_bill: {
    summary: 'Read the bill of a month from the provider, with its billing key',
    body: z.strictObject({ provider_id: pathId(), month: month() }),
    status: 200,
    response: ProviderBill,
    errors: {
      400: INVALID_REQUEST,
      404: ['not_found'],
      422: INVALID_REQUEST,
      503: ['media_storage_unavailable'],
    },
  },
  list_provider_bills: {
    summary: 'List bills of providers, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      month: z.optional(month()),
      provider_id: z.optional(billProviderId()),
    }),
    status: 200,
    response: listSchema(ProviderBill),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  get_provider_bill: {
    summary: 'Read a bill of a provider',
    params: billParams,
    status: 200,
    response: ProviderBill,
    errors: NOT_FOUND,
  },
  list_provider_bill_lines: {
    summary: 'List the lines of a bill in the order of its file',
    params: billParams,
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Begins at that row of the file. */
      from_row: queryInteger(1, 1, 10 * MAX_BILL_LINES),
    }),
    status: 200,
    response: listSchema(ProviderBillLine),
    errors: { 400: INVALID_REQUEST, ...NOT_FOUND },
  },
  download_provider_bill: {
    summary: 'Download the file of a bill as it came',
    params: billParams,
    status: 200,
    response: 'file',
    errors: { ...NOT_FOUND, 503: ['media_storage_unavailable'] },
  },
  delete_provider_bill: {
    summary: 'Delete a bill with its lines and its file',
    params: billParams,
    status: 204,
    response: null,
    errors: NOT_FOUND,
  },
});
