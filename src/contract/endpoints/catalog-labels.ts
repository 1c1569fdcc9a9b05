import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { CatalogLabel, CatalogLabelUpdate } from '../resources/catalog-label.ts';

/** Ids of models and tasks contain dots. Checked for form only, so that an unknown one is a 404. */
const catalogPath = { params: z.object({ catalog_id: z.string().check(z.regex(/^[a-z0-9._-]{1,64}$/)) }) };

export const catalogLabelEndpoints = {
  set_catalog_label: defineEndpoint({
    ...ENDPOINT_ROUTES.set_catalog_label,
    ...catalogPath,
    tag: 'Catalog',
    summary: 'Name a model or task in this installation',
    body: CatalogLabelUpdate,
    status: 200,
    response: CatalogLabel,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  delete_catalog_label: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_catalog_label,
    ...catalogPath,
    tag: 'Catalog',
    summary: 'Delete the name of a model or task in this installation',
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
