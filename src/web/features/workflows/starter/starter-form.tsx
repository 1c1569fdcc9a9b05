import { useRef, useState } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { useSession } from '#web/api/session/session.ts';
import { TagFields } from '#web/forms/tags/tag-fields.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { workflowEstimateQuery } from '#web/api/queries/workflow-starters.ts';
import { OrderBar } from '../order-bar.tsx';
import { formatPriceFrom } from '../starters/starter-labels.ts';
import { type StartFailure, StartNotices, isOutcomeUnknown } from './start-problem.tsx';
import { useWorkflowQuote } from './use-workflow-quote.ts';
import { useNavigate } from '@tanstack/react-router';
import type { OrderRequest } from '#contract/resources/request.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { detailField } from '#web/forms/field-errors.ts';
import { showTagProblems } from '#web/forms/tags/tag-problems.ts';
import { useStartRun, type WorkflowRunRequest } from '#web/api/queries/workflow-runs.ts';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

export function StarterForm({ starter, form }: { starter: WorkflowStarter; form: InputForm }) {
  const uploads = useFieldUploads(form, `workflow/${starter.slug}`);
  const box = useRef<HTMLDivElement>(null);
  const { start, isPending, failure, clearFailure } = useSubmitStarter(starter.slug, form, (fields) => {
    // Not before the problems are on the page: they take room.
    requestAnimationFrame(() => box.current && focusField(box.current, fields));
  });
  const signedIn = useSession() === 'signed_in';
  const submit = () => {
    if (isPending || starter.available === false || uploads.pendingCount() > 0) return;
    void start();
  };
  useCommands([{ group: 'Workflows', label: 'Run', keys: 'mod+enter', run: submit }]);
  return (
    <div ref={box}>
      <TaskForm form={form} uploads={uploads} signedIn={signedIn} label={starter.name} onSubmit={submit}>
        {form.contract.fields.length === 0 ? <p className="text-ink-2">No inputs needed.</p> : null}
        {signedIn ? <TagFields /> : null}
        <RunBar starter={starter} form={form} busy={isPending} failure={failure} onAsked={clearFailure} />
      </TaskForm>
    </div>
  );
}

interface RunBarProps {
  starter: WorkflowStarter;
  form: InputForm;
  busy: boolean;
  failure: StartFailure | null;
  onAsked: () => void;
}

/** Apart from the form, so that a new price does not render the fields. */
function RunBar({ starter, form, busy, failure, onAsked }: RunBarProps) {
  const quote = useWorkflowQuote(
    form,
    (input) => workflowEstimateQuery(starter.slug, input),
    formatPriceFrom(starter) ?? null,
  );
  const notices = (
    <StartNotices
      failure={failure}
      minimum_usd={quote.estimate?.minimum_usd}
      isRequested={({ type, starter_slug }) => type === 'workflow_run' && starter_slug === starter.slug}
      onAsked={onAsked}
    />
  );
  return (
    <OrderBar quote={quote} action="Run" unavailable={starter.available === false} busy={busy} notices={notices} />
  );
}

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
function useSubmitStarter(slug: string, form: InputForm, focusFirst: (names: ReadonlySet<string>) => void) {
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
