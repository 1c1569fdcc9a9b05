import type { WorkflowRunRequest } from '#web/api/queries/workflow-runs.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

interface PendingRequest {
  body: string;
  idempotency_key: string;
}

/** Orders of which it is not known whether they arrived, by starter: kept over a reload too. */
const pendingRequests = createTabStorage<PendingRequest>('emulsion.workflow-orders', 40);

/** An order for a run: under the key of the one before where that is the same and may have arrived, so that it never starts twice. */
export function prepareRunRequest(body: WorkflowRunRequest['body']): WorkflowRunRequest {
  const written = JSON.stringify(body);
  const before = pendingRequests.get(body.starter_slug);
  const idempotency_key = before?.body === written ? before.idempotency_key : newIdempotencyKey();
  pendingRequests.set(body.starter_slug, { body: written, idempotency_key });
  return { body, idempotency_key };
}

/** It is known what became of the order. */
export const clearRunRequest = ({ body }: WorkflowRunRequest): void => pendingRequests.delete(body.starter_slug);
