import * as z from 'zod/mini';
import { SERVICE_UNAVAILABLE, INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { LEDGER_TYPES } from '../ledger.ts';
import {
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  querySeq,
  taskId,
} from '../primitives.ts';
import {
  BillingSummary,
  CreditCreate,
  LedgerEntry,
  LedgerEntryDetail,
  LedgerLine,
  LedgerSums,
  RefundCreate,
  Reservation,
  Pivot,
  Spending,
  pivotDimension,
  spendingGroup,
} from '../resources/billing.ts';

/** Work of a person or with values of tags. Without permission to read all billing, only one's own. */
const spendingFilter = () => ({
  person_id: z.optional(pathId()),
  /** Values by tag as JSON, null for work without one: `{"client":"acme","project":null}`. */
  tags: z.optional(z.string().check(z.maxLength(1_000))),
});

/** Spec: Query parameters. `task`, `model`, `key_id` and `seq` are additions. */
const ledgerFilter = () => ({
  type: z.optional(z.enum(LEDGER_TYPES)),
  created_after: queryDateTime(),
  created_before: queryDateTime(),
  generation_id: z.optional(pathId()),
  workflow_run_id: z.optional(pathId()),
  task: z.optional(taskId()),
  model: z.optional(modelId()),
  /** The key that created the generation. */
  key_id: z.optional(pathId()),
  seq: querySeq(),
  ...spendingFilter(),
});
/** Number, id or amount of an entry, or words. Decision: Ledger search */
const ledgerSearch = () => ({ q: z.optional(z.string().check(z.maxLength(500))) });
const pivotQuery = () => ({
  rows: pivotDimension(),
  columns: pivotDimension(),
  from: queryDateTime(),
  to: queryDateTime(),
  ...spendingFilter(),
});
const pageQuery = () => ({ limit: queryInteger(50, 1, 100), cursor: queryCursor() });

export const billingEndpoints = {
  get_billing_summary: defineEndpoint({
    ...ENDPOINT_ROUTES.get_billing_summary,
    tag: 'Billing',
    summary: 'Read funds and spending',
    query: querySchema({ from: queryDateTime(), to: queryDateTime() }),
    status: 200,
    response: BillingSummary,
    errors: { 422: INVALID_REQUEST },
  }),
  list_ledger: defineEndpoint({
    ...ENDPOINT_ROUTES.list_ledger,
    tag: 'Billing',
    summary: 'List ledger entries, newest first',
    query: querySchema({ ...pageQuery(), ...ledgerFilter(), ...ledgerSearch() }),
    status: 200,
    response: listSchema(LedgerEntry),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  }),
  list_ledger_lines: defineEndpoint({
    ...ENDPOINT_ROUTES.list_ledger_lines,
    tag: 'Billing',
    summary: 'List charges and other movements of money, one line each, newest first',
    query: querySchema({ ...pageQuery(), ...ledgerFilter(), ...ledgerSearch() }),
    status: 200,
    response: listSchema(LedgerLine),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  get_ledger_entry: defineEndpoint({
    ...ENDPOINT_ROUTES.get_ledger_entry,
    tag: 'Billing',
    summary: 'Read a ledger entry with its hashes, neighbors and the entries of its generation',
    params: z.object({ entry_id: pathId() }),
    status: 200,
    response: LedgerEntryDetail,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  get_ledger_sums: defineEndpoint({
    ...ENDPOINT_ROUTES.get_ledger_sums,
    tag: 'Billing',
    summary: 'Sum ledger entries',
    query: querySchema(ledgerFilter()),
    status: 200,
    response: LedgerSums,
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  export_ledger: defineEndpoint({
    ...ENDPOINT_ROUTES.export_ledger,
    tag: 'Billing',
    summary: 'Export ledger entries, oldest first, as CSV',
    query: querySchema({ ...ledgerFilter(), ...ledgerSearch() }),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  get_spending: defineEndpoint({
    ...ENDPOINT_ROUTES.get_spending,
    tag: 'Billing',
    summary: 'Read spending per day by task, model, key, person or tag',
    query: querySchema({ by: spendingGroup(), from: queryDateTime(), to: queryDateTime(), ...spendingFilter() }),
    status: 200,
    response: Spending,
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  get_pivot: defineEndpoint({
    ...ENDPOINT_ROUTES.get_pivot,
    tag: 'Billing',
    summary: 'Read spending by two dimensions, beside the previous period',
    query: querySchema(pivotQuery()),
    status: 200,
    response: Pivot,
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  export_pivot: defineEndpoint({
    ...ENDPOINT_ROUTES.export_pivot,
    tag: 'Billing',
    summary: 'Export spending by two dimensions as CSV',
    query: querySchema(pivotQuery()),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  list_reservations: defineEndpoint({
    ...ENDPOINT_ROUTES.list_reservations,
    tag: 'Billing',
    summary: 'List reservations for unfinished work, newest first',
    query: querySchema(pageQuery()),
    status: 200,
    response: listSchema(Reservation),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  create_refund: defineEndpoint({
    ...ENDPOINT_ROUTES.create_refund,
    tag: 'Billing',
    summary: 'Refund the charge of a generation, in full or in part',
    body: RefundCreate,
    idempotency: 'optional',
    status: 201,
    response: LedgerEntry,
    errors: {
      400: INVALID_REQUEST,
      404: ['generation_not_found'],
      409: ['idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
    addition: true,
  }),
  create_credit: defineEndpoint({
    ...ENDPOINT_ROUTES.create_credit,
    tag: 'Billing',
    summary: 'Add credit or adjust the balance',
    body: CreditCreate,
    idempotency: 'optional',
    status: 201,
    response: LedgerEntry,
    errors: { 400: INVALID_REQUEST, 409: ['idempotency_conflict'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
    addition: true,
  }),
} as const;
