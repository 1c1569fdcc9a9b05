import * as z from 'zod/mini';
import { INVALID, endpoint } from '../endpoint.ts';
import { listOf, pathId, queryCursor, queryDateTime, queryInteger, queryOf } from '../primitives.ts';
import { BillingSummary, CreditCreate, LEDGER_TYPES, LedgerEntry } from '../resources/billing.ts';

export const billingEndpoints = {
  get_billing_summary: endpoint({
    method: 'GET',
    path: '/v1/billing/summary',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'Read funds and spending',
    query: queryOf({ from: queryDateTime(), to: queryDateTime() }),
    status: 200,
    response: BillingSummary,
    errors: { 422: INVALID },
  }),
  list_ledger: endpoint({
    method: 'GET',
    path: '/v1/billing/ledger',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'List ledger entries, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      type: z.optional(z.enum(LEDGER_TYPES)),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      generation_id: z.optional(pathId()),
      workflow_run_id: z.optional(pathId()),
    }),
    status: 200,
    response: listOf(LedgerEntry),
    errors: { 400: INVALID, 422: INVALID },
  }),
  create_credit: endpoint({
    method: 'POST',
    path: '/v1/billing/credits',
    auth: 'organization',
    tag: 'Billing',
    summary: 'Add credit, or correct the balance',
    body: CreditCreate,
    status: 201,
    response: LedgerEntry,
    errors: { 400: INVALID, 422: INVALID },
    addition: true,
  }),
} as const;
