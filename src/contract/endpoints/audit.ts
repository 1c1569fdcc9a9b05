import * as z from 'zod/mini';
import { INVALID, endpoint } from '../endpoint.ts';
import { month, queryOf, querySeq } from '../primitives.ts';
import { Statement, Verification, WhatIf, WhatIfAsk } from '../resources/audit.ts';

/** Whether it all adds up. */
export const auditEndpoints = {
  get_verification: endpoint({
    method: 'GET',
    path: '/v1/billing/verification',
    auth: 'organization',
    tag: 'Billing',
    summary: 'Verify the whole ledger: its chain, sums and balances',
    query: queryOf({
      /** The head of an earlier verification; the one is refused without the other. */
      seq: querySeq(),
      hash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    }),
    status: 200,
    response: Verification,
    errors: { 422: INVALID },
    addition: true,
  }),
  get_statement: endpoint({
    method: 'GET',
    path: '/v1/billing/statement',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'Read what a month did to the funds, this one by default',
    query: queryOf({ month: z.optional(month()) }),
    status: 200,
    response: Statement,
    errors: { 422: INVALID },
    addition: true,
  }),
  export_statement: endpoint({
    method: 'GET',
    path: '/v1/billing/statement.csv',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'Export the statement of a month as CSV',
    query: queryOf({ month: z.optional(month()) }),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID },
    addition: true,
  }),
  reprice_spending: endpoint({
    method: 'POST',
    path: '/v1/billing/what-if',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'Price what was made again, on another model or with other options',
    body: WhatIfAsk,
    status: 200,
    response: WhatIf,
    errors: { 400: INVALID, 422: INVALID },
    addition: true,
  }),
} as const;
