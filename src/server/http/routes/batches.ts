import { recordExport } from '#server/accounts/audit/record-audit-event.ts';
import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from '#server/studio/batches/change-batch.ts';
import { createBatch } from '#server/studio/batches/create-batch.ts';
import { estimateBatch } from '#server/studio/batches/estimate-orders.ts';
import { exportBatch } from '#server/studio/batches/export-batch.ts';
import { listOrders } from '#server/studio/batches/list-orders.ts';
import { findBatch, listBatches, readBatch } from '#server/studio/batches/read-batch.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createIdempotentRequest } from '#server/accounts/idempotency/idempotent-request.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import { type Handlers, toReply } from '#server/http/handler.ts';

/** Decision: Batches */
export const batchRoutes = (deps: Deps) =>
  ({
    list_batches: ({ caller, query: { person_id, ...query } }) =>
      listBatches(deps, scopeWork(caller, person_id), query),

    async create_batch({ caller, body, raw_body, idempotency_key, signal }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/batches', raw_body);
      return toReply(await createBatch(deps, caller, body, idempotent_request, signal));
    },

    estimate_batch: ({ caller, body }) => estimateBatch(deps, caller, body),

    get_batch: ({ caller, params }) => readBatch(deps, caller.organization_id, params.batch_id),

    async list_batch_orders({ caller, params: { batch_id }, query }) {
      await findBatch(deps, caller.organization_id, batch_id);
      return listOrders(deps, caller.organization_id, batch_id, query);
    },

    pause_batch: ({ caller, params }) => pauseBatch(deps, caller, params.batch_id),

    resume_batch: ({ caller, params, body }) => resumeBatch(deps, caller, params.batch_id, body),

    cancel_batch: ({ caller, params, body }) => cancelBatch(deps, caller, params.batch_id, body),

    retry_batch: ({ caller, params }) => retryBatch(deps, caller, params.batch_id),

    async export_batch({ caller, params: { batch_id } }) {
      await findBatch(deps, caller.organization_id, batch_id);
      await recordExport(deps, caller, 'batch', { batch_id });
      return { filename: 'results.csv', lines: exportBatch(deps, batch_id) };
    },
  }) satisfies Handlers;
