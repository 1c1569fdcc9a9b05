import { createIdempotentRequest } from '#server/idempotency/idempotent-request.ts';
import { createRequest } from '#server/requests/create-request.ts';
import { cancelRequest, decideRequest } from '#server/requests/decide-request.ts';
import { listRequests } from '#server/requests/list-requests.ts';
import type { OrderDeps } from '#server/requests/prepare-order.ts';
import { type Handlers, toReply } from '../handler.ts';

export const requestRoutes = (deps: OrderDeps) =>
  ({
    list_requests: ({ caller, query }) => listRequests(deps, caller, query),

    async create_request({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/requests', raw_body);
      return toReply(await createRequest(deps, caller, body, idempotent_request));
    },

    cancel_request: ({ caller, params }) => cancelRequest(deps, caller, params.request_id),

    decide_request: ({ caller, params, body }) => decideRequest(deps, caller, params.request_id, body),
  }) satisfies Handlers;
