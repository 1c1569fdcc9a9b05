import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { ReferenceCheck, ReferenceCheckCreate } from '../resources/reference-check.ts';

export const referenceEndpoints = {
  check_reference: defineEndpoint({
    ...ENDPOINT_ROUTES.check_reference,
    tag: 'Media',
    summary: 'Check a reference URL before it is used',
    body: ReferenceCheckCreate,
    status: 200,
    response: ReferenceCheck,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: ['service_unavailable'] },
    addition: true,
  }),
} as const;
