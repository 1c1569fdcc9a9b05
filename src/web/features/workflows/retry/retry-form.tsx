import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { detailField } from '#web/forms/field-errors.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { useRetryRun } from '#web/api/queries/workflow-runs.ts';
import { useCommands } from '#web/ui/commands.ts';
import { OrderBar } from '../order-bar.tsx';
import { isOutcomeUnknown, type StartFailure, StartNotices } from '../starter/start-problem.tsx';
import type { WorkflowQuote } from '../starter/use-workflow-quote.ts';
import { changedInputs } from './retry-inputs.ts';

export interface RetryFormProps {
  run: WorkflowRun;
  form: InputForm;
  quote: WorkflowQuote;
  /** The input that gets the focus. */
  field: string | undefined;
}

export function RetryForm({ run, form, quote, field }: RetryFormProps) {
  const uploads = useFieldUploads(form, `workflow-retry/${run.id}`);
  const box = useRef<HTMLDivElement>(null);
  const focusFirst = (fields: ReadonlySet<string>) => {
    // The errors must be on the page before it scrolls: they take room.
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
  const { start, isPending, failure, clearFailure } = useStart(run, form, focusFirst);
  const submit = () => {
    if (!isPending && uploads.pendingCount() === 0) void start();
  };
  useCommands([{ group: 'Workflows', label: 'Retry', keys: 'mod+enter', run: submit }]);
  return (
    <div ref={box}>
      <TaskForm form={form} uploads={uploads} signedIn label="Inputs" onSubmit={submit}>
        <OrderBar
          quote={quote}
          action="Retry"
          unavailable={false}
          busy={isPending}
          notices={
            <StartNotices
              failure={failure}
              minimum_usd={quote.estimate?.minimum_usd}
              isRequested={({ retry_of }) => retry_of === run.id}
              onAsked={clearFailure}
            />
          }
        />
      </TaskForm>
    </div>
  );
}

/** @param focusFirst moves the focus to the first of the named fields */
function useStart({ id, input }: WorkflowRun, form: InputForm, focusFirst: (names: ReadonlySet<string>) => void) {
  const { mutateAsync, isPending } = useRetryRun();
  const [failure, setFailure] = useState<StartFailure | null>(null);
  const navigate = useNavigate();
  // The same key until the outcome is known, so that pressing twice never starts two runs.
  const sent = useRef<{ body: string; idempotency_key: string }>(null);
  const send = async (values: Record<string, unknown>) => {
    const inputs = changedInputs(input, values);
    const body = JSON.stringify(inputs);
    if (sent.current?.body !== body) sent.current = { body, idempotency_key: newIdempotencyKey() };
    try {
      const { idempotency_key } = sent.current;
      const started = await mutateAsync({ id, inputs, idempotency_key });
      await navigate({ to: '/workflows/runs/$id', params: { id: started.id } });
    } catch (problem) {
      if (!isOutcomeUnknown(problem)) sent.current = null;
      const order = { type: 'workflow_run_retry' as const, workflow_run_id: id, inputs };
      const failed = { error: problem, order };
      if (!(problem instanceof ApiError) || problem.details.length === 0) return setFailure(failed);
      const { details } = problem;
      if (form.setServerErrors(details).length === details.length) setFailure(failed);
      focusFirst(new Set(details.map(detailField)));
    }
  };
  const start = async () => {
    setFailure(null);
    await form.submit(send, focusFirst);
  };
  return { start, isPending, failure, clearFailure: () => setFailure(null) };
}
