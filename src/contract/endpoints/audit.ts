import * as z from 'zod/mini';
import { INVALID, endpoint } from '../endpoint.ts';
import { queryOf } from '../primitives.ts';
import { Verification } from '../resources/billing.ts';

/** Whether it all adds up. */
export const auditEndpoints = {
  get_verification: endpoint({
    method: 'GET',
    path: '/v1/billing/verification',
    auth: 'organization',
    tag: 'Billing',
    summary: 'Verify the whole ledger: its chain, sums and balances',
    query: queryOf({
      /** With `hash`: the head of an earlier verification. */
      seq: z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/))),
      hash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    }),
    status: 200,
    response: Verification,
    errors: { 422: INVALID },
    addition: true,
  }),
} as const;
