import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { MARGIN_GROUPS } from '../ledger.ts';
import { queryDateTime, querySchema } from '../primitives.ts';
import { Margin } from '../resources/margin.ts';

const marginQuery = () =>
  querySchema({
    from: queryDateTime(),
    to: queryDateTime(),
    group_by: z._default(z.enum(MARGIN_GROUPS), 'model'),
  });

export const marginEndpoints = {
  get_margin: defineEndpoint({
    ...ENDPOINT_ROUTES.get_margin,
    tag: 'Billing',
    summary: 'Compare charges with the costs of providers, this month by default',
    query: marginQuery(),
    status: 200,
    response: Margin,
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  export_margin: defineEndpoint({
    ...ENDPOINT_ROUTES.export_margin,
    tag: 'Billing',
    summary: 'Export charges and costs of providers as CSV',
    query: marginQuery(),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
