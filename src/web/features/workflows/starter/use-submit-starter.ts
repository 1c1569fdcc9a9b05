import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { OrderRequest } from '#contract/resources/request.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { detailField } from '#web/forms/field-errors.ts';
import { showTagProblems } from '#web/forms/tags/tag-problems.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { useStartRun, type WorkflowRunRequest } from '#web/api/queries/workflow-runs.ts';
import { isOutcomeUnknown, type StartFailure } from './start-problem.tsx';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

interface PendingRequest {
  body: string;
  idempotency_key: string;
}

/** Orders of which it is not known whether they arrived, by starter: kept over a reload too. */
const pendingRequests = createTabStorage<PendingRequest>('emulsion.workflow-orders', 40);

/** An order for a run: under the key of the one before where that is the same and may have arrived, so that it never starts twice. */
function prepareRunRequest(body: WorkflowRunRequest['body']): WorkflowRunRequest {
  const written = JSON.stringify(body);
  const before = pendingRequests.get(body.starter_slug);
  const idempotency_key = before?.body === written ? before.idempotency_key : newIdempotencyKey();
  pendingRequests.set(body.starter_slug, { body: written, idempotency_key });
  return { body, idempotency_key };
}

/** It is known what became of the order. */
const clearRunRequest = ({ body }: WorkflowRunRequest): void => pendingRequests.delete(body.starter_slug);

/** @param focusFirst moves the focus to the first of the named fields */
export function useSubmitStarter(slug: string, form: InputForm, focusFirst: (names: ReadonlySet<string>) => void) {
  const { mutateAsync, isPending } = useStartRun();
  const [failure, setFailure] = useState<StartFailure | null>(null);
  const navigate = useNavigate();

  const showServerErrors = (problem: ApiError, order: OrderRequest) => {
    const others = form.setServerErrors(showTagProblems(problem.details));
    if (others.length === problem.details.length) setFailure({ error: problem, order });
    focusFirst(new Set(problem.details.map(detailField)));
  };
  const send = async (input: Record<string, unknown>) => {
    const request = prepareRunRequest({ starter_slug: slug, input, ...tagMetadata() });
    try {
      const { id } = await mutateAsync(request);
      clearRunRequest(request);
      await navigate({ to: '/workflows/runs/$id', params: { id } });
    } catch (problem) {
      if (!isOutcomeUnknown(problem)) clearRunRequest(request);
      const order = { type: 'workflow_run' as const, workflow_run: { metadata: null, ...request.body } };
      if (problem instanceof ApiError && problem.details.length > 0) showServerErrors(problem, order);
      else setFailure({ error: problem, order });
    }
  };
  const start = async () => {
    setFailure(null);
    await form.submit(send, focusFirst);
  };
  return { start, isPending, failure, clearFailure: () => setFailure(null) };
}
