import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId } from '../primitives.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated, ApiKeyRotate, ApiKeyUpdate, Me } from '../resources/api-key.ts';

export const keyEndpoints = {
  get_me: defineEndpoint({
    ...ENDPOINT_ROUTES.get_me,
    tag: 'Keys',
    summary: 'Read the organization and the key of the credential',
    status: 200,
    response: Me,
    errors: {},
    addition: true,
  }),
  list_api_keys: defineEndpoint({
    ...ENDPOINT_ROUTES.list_api_keys,
    tag: 'Keys',
    summary: 'List keys: all of them, or one’s own without the permission to manage all',
    status: 200,
    response: listSchema(ApiKey),
    errors: {},
    addition: true,
  }),
  create_api_key: defineEndpoint({
    ...ENDPOINT_ROUTES.create_api_key,
    tag: 'Keys',
    summary: 'Create a key; it is shown once',
    body: ApiKeyCreate,
    status: 201,
    response: ApiKeyCreated,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  update_api_key: defineEndpoint({
    ...ENDPOINT_ROUTES.update_api_key,
    tag: 'Keys',
    summary: 'Rename a key, or change its scopes and expiry',
    params: z.object({ key_id: pathId() }),
    body: ApiKeyUpdate,
    status: 200,
    response: ApiKey,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 409: ['last_admin_key'], 422: INVALID_REQUEST },
    addition: true,
  }),
  rotate_api_key: defineEndpoint({
    ...ENDPOINT_ROUTES.rotate_api_key,
    tag: 'Keys',
    summary: 'Replace the secret of a key; the previous one stays valid for a while',
    params: z.object({ key_id: pathId() }),
    body: ApiKeyRotate,
    status: 200,
    response: ApiKeyCreated,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  delete_api_key: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_api_key,
    tag: 'Keys',
    summary: 'Revoke a key',
    params: z.object({ key_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 409: ['last_admin_key'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
