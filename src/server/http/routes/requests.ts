import type { Deps } from '#server/platform/deps.ts';
import { createIdempotentRequest } from '#server/accounts/idempotency/idempotent-request.ts';
import { createRequest } from '#server/studio/approvals/create-request.ts';
import { cancelRequest, decideRequest, estimateRequest } from '#server/studio/approvals/decide-request.ts';
import { listRequests, readRequestDetails } from '#server/studio/approvals/list-requests.ts';
import { type Handlers, toReply } from '#server/http/handler.ts';

export const requestRoutes = (deps: Deps) =>
  ({
    list_requests: ({ caller, query }) => listRequests(deps, caller, query),

    async create_request({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/requests', raw_body);
      return toReply(await createRequest(deps, caller, body, idempotent_request));
    },

    cancel_request: ({ caller, params }) => cancelRequest(deps, caller, params.request_id),

    get_request: ({ caller, params }) => readRequestDetails(deps, caller, params.request_id),

    estimate_request: ({ caller, params }) => estimateRequest(deps, caller, params.request_id),

    async decide_request({ caller, params: { request_id }, body, raw_body, idempotency_key }) {
      const path = `/v1/requests/${request_id}/decision`;
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, path, raw_body);
      return toReply(await decideRequest(deps, caller, request_id, body, idempotent_request));
    },
  }) satisfies Handlers;
