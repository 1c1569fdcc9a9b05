import { createIdempotentRequest } from '#server/accounts/idempotency/idempotent-request.ts';
import { cancelRun } from '#server/studio/workflows/runs/cancel-run.ts';
import { createRun } from '#server/studio/workflows/runs/create-run.ts';
import { readRun } from '#server/studio/workflows/runs/find-run.ts';
import { listRuns } from '#server/studio/workflows/runs/list-runs.ts';
import type { Deps } from '#server/platform/deps.ts';
import { estimateRetry, retryRun } from '#server/studio/workflows/runs/retry-run.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import { type Handlers, toReply } from '#server/http/handler.ts';

export const workflowRunRoutes = (deps: Deps) =>
  ({
    list_workflow_runs: ({ caller, query: { person_id, ...query } }) =>
      listRuns(deps, scopeWork(caller, person_id), query),

    async create_workflow_run({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/workflow-runs', raw_body);
      return toReply(await createRun(deps, caller, body, idempotent_request));
    },

    get_workflow_run: ({ caller, params }) => readRun(deps, caller.organization_id, params.workflow_run_id),

    cancel_workflow_run: ({ caller, params, body }) =>
      cancelRun(deps, caller, params.workflow_run_id, body.reason ?? null),

    async retry_workflow_run({ caller, params: { workflow_run_id }, body, raw_body, idempotency_key }) {
      const path = `/v1/workflow-runs/${workflow_run_id}/retry`;
      const inputs = body?.inputs;
      // An empty body is the same request as none. Spec: Endpoints
      const idempotent_request = createIdempotentRequest(
        caller,
        idempotency_key,
        path,
        inputs === undefined ? undefined : raw_body,
      );
      return toReply(await retryRun(deps, caller, { id: workflow_run_id, inputs }, idempotent_request));
    },

    estimate_workflow_run_retry: ({ caller, params, body: { inputs } }) =>
      estimateRetry(deps, caller, { id: params.workflow_run_id, inputs }),
  }) satisfies Handlers;
