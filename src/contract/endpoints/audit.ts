import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { month, querySchema, querySeq } from '../primitives.ts';
import { spendingFilter } from '../spending-filter.ts';
import { spendingGroup } from '../resources/billing.ts';
import { Statement, Verification, WhatIf, WhatIfRequest } from '../resources/audit.ts';

const statementQuery = () =>
  querySchema({
    month: z.optional(month()),
    /** Adds a breakdown. */
    by: z.optional(spendingGroup()),
    ...spendingFilter(),
  });

export const auditEndpoints = {
  get_verification: defineEndpoint({
    ...ENDPOINT_ROUTES.get_verification,
    tag: 'Billing',
    summary: 'Verify the whole ledger: its chain, sums and balances',
    query: querySchema({
      /** The head of an earlier verification; `seq` and `hash` go together. */
      seq: querySeq(),
      hash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    }),
    status: 200,
    response: Verification,
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  export_audit_pack: defineEndpoint({
    ...ENDPOINT_ROUTES.export_audit_pack,
    tag: 'Billing',
    summary: 'Export everything that an audit of some months needs, as a ZIP file that verifies itself',
    /** At most 24 months, both included. */
    query: querySchema({ from: month(), to: month() }),
    status: 200,
    response: 'zip',
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  get_statement: defineEndpoint({
    ...ENDPOINT_ROUTES.get_statement,
    tag: 'Billing',
    summary: 'Read the statement of a month, the current one by default',
    query: statementQuery(),
    status: 200,
    response: Statement,
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  export_statement: defineEndpoint({
    ...ENDPOINT_ROUTES.export_statement,
    tag: 'Billing',
    summary: 'Export the statement of a month as CSV',
    query: statementQuery(),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  print_statement: defineEndpoint({
    ...ENDPOINT_ROUTES.print_statement,
    tag: 'Billing',
    summary: 'Export the statement of a month as PDF',
    query: statementQuery(),
    status: 200,
    response: 'pdf',
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  reprice_spending: defineEndpoint({
    ...ENDPOINT_ROUTES.reprice_spending,
    tag: 'Billing',
    summary: 'Reprice past charges with another model or other options',
    body: WhatIfRequest,
    status: 200,
    response: WhatIf,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
