import { parseQueryTime } from '#server/platform/db/created-within.ts';
import type { Deps } from '#server/platform/deps.ts';
import {
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  listEndpoints,
  rotateSecret,
} from '#server/studio/webhooks/webhook-endpoints.ts';
import { readDeliveryDetail } from '#server/studio/webhooks/find-delivery.ts';
import { listDeliveries } from '#server/studio/webhooks/list-deliveries.ts';
import { recoverFailedDeliveries, redeliver } from '#server/studio/webhooks/redeliver.ts';
import { sendTest } from '#server/studio/webhooks/send-test.ts';
import { completeList, type Handlers } from '#server/http/handler.ts';

export const webhookRoutes = (deps: Deps) =>
  ({
    list_webhook_endpoints: async ({ caller }) => completeList(await listEndpoints(deps, caller.organization_id)),

    create_webhook_endpoint: ({ caller, body }) => createEndpoint(deps, caller, body),

    delete_webhook_endpoint: ({ caller, params }) => deleteEndpoint(deps, caller, params.endpoint_id),

    enable_webhook_endpoint: ({ caller, params }) => enableEndpoint(deps, caller, params.endpoint_id),

    rotate_webhook_secret: ({ caller, params }) => rotateSecret(deps, caller, params.endpoint_id),

    test_webhook_endpoint: ({ caller, params }) => sendTest(deps, caller, params.endpoint_id),

    recover_webhook_endpoint: ({ caller, params, body }) =>
      recoverFailedDeliveries(deps, caller.organization_id, params.endpoint_id, {
        since: parseQueryTime(body.since),
        dry_run: body.dry_run,
      }),

    list_webhook_deliveries: ({ caller, params, query }) =>
      listDeliveries(deps, caller.organization_id, params.endpoint_id, query),

    get_webhook_delivery: ({ caller, params }) => readDeliveryDetail(deps, caller.organization_id, params.delivery_id),

    redeliver_webhook: ({ caller, params }) => redeliver(deps, caller.organization_id, params.delivery_id),
  }) satisfies Handlers;
