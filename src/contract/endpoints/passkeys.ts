import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema } from '../primitives.ts';
import { Passkey, PasskeyCreate, PasskeyCreationOptions, PasskeyUpdate, passkeyId } from '../resources/passkey.ts';

/** Only for people; a program has no passkeys. Decision: Sign-in */
export const passkeyEndpoints = {
  list_passkeys: defineEndpoint({
    ...ENDPOINT_ROUTES.list_passkeys,
    tag: 'Sessions',
    summary: 'List one’s own passkeys, newest first; at most 20',
    status: 200,
    response: listSchema(Passkey),
    errors: { 400: INVALID_REQUEST },
    addition: true,
  }),
  start_passkey_registration: defineEndpoint({
    ...ENDPOINT_ROUTES.start_passkey_registration,
    tag: 'Sessions',
    summary: 'Start to add a passkey',
    status: 200,
    response: PasskeyCreationOptions,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  create_passkey: defineEndpoint({
    ...ENDPOINT_ROUTES.create_passkey,
    tag: 'Sessions',
    summary: 'Add a passkey',
    body: PasskeyCreate,
    status: 201,
    response: Passkey,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  update_passkey: defineEndpoint({
    ...ENDPOINT_ROUTES.update_passkey,
    tag: 'Sessions',
    summary: 'Rename a passkey',
    params: z.object({ passkey_id: passkeyId() }),
    body: PasskeyUpdate,
    status: 200,
    response: Passkey,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  delete_passkey: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_passkey,
    tag: 'Sessions',
    summary: 'Delete a passkey',
    params: z.object({ passkey_id: passkeyId() }),
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
