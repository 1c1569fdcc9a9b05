import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '#web/api/api-errors.ts';
import type { FormState } from '#web/forms/form-state.ts';
import { toInput } from '#web/forms/form-values.ts';
import { useStartRun, type WorkflowRunRequest } from '#web/api/queries/workflow-runs.ts';
import { isOutcomeUnknown } from './start-problem.tsx';
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

/**
 * Starts a run of a starter with what its form holds, and goes to it.
 * @param point takes the person to fields, by name, that are wrong
 */
export function useSubmitStarter(slug: string, form: FormState, point: (fields: ReadonlySet<string>) => void) {
  const { mutateAsync, isPending } = useStartRun();
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();

  const show = (refusal: ApiError) => {
    const homeless = form.showServerProblems(refusal.details);
    if (homeless.length === refusal.details.length) setError(refusal);
    point(new Set(refusal.details.map(({ path }) => path.split('.')[1] ?? '')));
  };
  const start = async () => {
    setError(null);
    const parsed = await form.validate();
    if (parsed && !parsed.ok) return point(new Set(parsed.details.map(({ path }) => path.split('.')[1] ?? '')));
    const order = prepareRunRequest({
      starter_slug: slug,
      input: parsed?.input ?? toInput(form.contract, form.values()),
    });
    try {
      const { id } = await mutateAsync(order);
      clearRunRequest(order);
      await navigate({ to: '/workflows/runs/$id', params: { id } });
    } catch (refusal) {
      if (!isOutcomeUnknown(refusal)) clearRunRequest(order);
      if (refusal instanceof ApiError && refusal.details.length > 0) show(refusal);
      else setError(refusal);
    }
  };
  return { start, isPending, error };
}
