import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { FormState } from '#web/forms/form-state.ts';
import { toInput } from '#web/forms/form-values.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { useRetryRun } from '#web/api/queries/workflow-runs.ts';
import { useCommands } from '#web/ui/commands.ts';
import { OrderBar } from '../order-bar.tsx';
import { isOutcomeUnknown } from '../starter/start-problem.tsx';
import type { WorkflowQuote } from '../starter/use-workflow-quote.ts';
import { changedInputs } from './changed-inputs.ts';

export interface RetryFormProps {
  run: WorkflowRun;
  form: FormState;
  quote: WorkflowQuote;
  /** The input that gets the focus. */
  field: string | undefined;
}

/** The inputs of a run, and the button that retries it with them. */
export function RetryForm({ run, form, quote, field }: RetryFormProps) {
  const tray = useFieldUploads(form, `workflow-retry/${run.id}`);
  const box = useRef<HTMLDivElement>(null);
  const point = (fields: ReadonlySet<string>) => {
    // Not before the problems are on the page: they take room.
    requestAnimationFrame(() => box.current && focusField(box.current, fields));
  };
  useEffect(() => {
    const { current } = box;
    const names = new Set(field === undefined ? [] : [field]);
    if (field === undefined || !current || focusField(current, names)) return undefined;
    // The controls of a media field load later.
    const observer = new MutationObserver(() => {
      if (current.contains(document.activeElement) || focusField(current, names)) observer.disconnect();
    });
    observer.observe(current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [field]);
  const { start, isPending, error } = useStart(run, form, point);
  const submit = () => {
    if (!isPending && tray.pendingCount() === 0) void start();
  };
  useCommands([{ group: 'Workflows', label: 'Retry', keys: 'mod+enter', run: submit }]);
  return (
    <div ref={box}>
      <TaskForm form={form} tray={tray} signed_in label="Inputs" onSubmit={submit}>
        <OrderBar quote={quote} action="Retry" unavailable={false} busy={isPending} error={error} />
      </TaskForm>
    </div>
  );
}

/** Retries a run with what its form holds, and opens the new run. @param point moves the focus to fields by name */
function useStart({ id, input }: WorkflowRun, form: FormState, point: (fields: ReadonlySet<string>) => void) {
  const { mutateAsync, isPending } = useRetryRun();
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();
  // The same key until the outcome is known, so that pressing twice never starts two runs.
  const sent = useRef<{ body: string; idempotency_key: string }>(null);
  const start = async () => {
    setError(null);
    const parsed = await form.validate();
    if (parsed && !parsed.ok) return point(fieldsOf(parsed.details));
    const inputs = changedInputs(input, parsed?.input ?? toInput(form.contract, form.values()));
    const body = JSON.stringify(inputs);
    if (sent.current?.body !== body) sent.current = { body, idempotency_key: newIdempotencyKey() };
    try {
      const { idempotency_key } = sent.current;
      const started = await mutateAsync({ id, inputs, idempotency_key });
      await navigate({ to: '/workflows/runs/$id', params: { id: started.id } });
    } catch (refusal) {
      if (!isOutcomeUnknown(refusal)) sent.current = null;
      if (!(refusal instanceof ApiError) || refusal.details.length === 0) return setError(refusal);
      const details = refusal.details.map((detail) => ({ ...detail, path: detail.path.replace(/^inputs\b/, 'input') }));
      if (form.showServerProblems(details).length === details.length) setError(refusal);
      point(fieldsOf(details));
    }
  };
  return { start, isPending, error };
}

const fieldsOf = (details: readonly { path: string }[]): Set<string> =>
  new Set(details.map(({ path }) => path.split('.')[1] ?? ''));
