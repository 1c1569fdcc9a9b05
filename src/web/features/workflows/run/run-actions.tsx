import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { PenLine, RotateCcw, SlidersHorizontal, Square } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { isActive } from '#contract/statuses.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { useAskOnError } from '#web/budgets/use-ask-on-error.tsx';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { isRetryable } from '#web/api/api-errors.ts';
import { useRetryRun, useCancelRun } from '#web/api/queries/workflow-runs.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { changeLabel, failedInputs } from '../retry/retry-inputs.ts';
import { countCodePoints } from '#web/forms/values/count-code-points.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { ConsequenceList } from '#web/ui/overlays/confirm-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextArea } from '#web/ui/controls/text-input.tsx';

const canCancelRun = ({ status }: WorkflowRun) => isActive(status) || status === 'manual_review';
/** The service decides whether a retry is allowed. */
export const canRetryRun = ({ status, retried_by }: WorkflowRun) =>
  (status === 'failed' || status === 'canceled') && (retried_by ?? null) === null;

export function RunActions({ run }: { run: WorkflowRun }) {
  const [canceling, setCanceling] = useState(false);
  const { retry, isPending, askDialog } = useRetryAction(run);
  const change = useChange(run);
  const canChange = useCan('work.create');
  const [canCancel, canRetry] = [canChange && canCancelRun(run), canChange && canRetryRun(run)];
  const group = 'Workflows';
  useCommands([
    ...(canCancel ? [{ group, label: 'Cancel run…', keys: 'c', run: () => setCanceling(true) }] : []),
    ...(canRetry ? [{ group, label: 'Retry run', keys: 'r', run: () => void retry() }] : []),
  ]);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {canCancel ? (
        <Button
          icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
          onClick={() => setCanceling(true)}
        >
          Cancel…
        </Button>
      ) : null}
      {canRetry ? (
        <Button
          variant={change?.isNeeded ? 'secondary' : 'primary'}
          busy={isPending}
          icon={<RotateCcw aria-hidden="true" className="size-4" />}
          onClick={() => void retry()}
        >
          Retry
        </Button>
      ) : null}
      {canChange && change ? (
        <Link
          to="/workflows/runs/$id/retry"
          params={{ id: run.id }}
          search={change.field === undefined ? {} : { field: change.field }}
          className={buttonClass(change.isNeeded ? { variant: 'primary' } : {})}
        >
          <SlidersHorizontal aria-hidden="true" className="size-4" />
          {change.label}
        </Link>
      ) : null}
      {canChange ? (
        <Link
          to="/workflows/$slug"
          params={{ slug: run.starter_slug }}
          search={{ from: run.id }}
          className={buttonClass()}
        >
          <PenLine aria-hidden="true" className="size-4" />
          Reuse settings
        </Link>
      ) : null}
      {askDialog}
      {canceling ? <CancelRunDialog run={run} onClose={() => setCanceling(false)} /> : null}
    </div>
  );
}

/** Returns the link to retry with other inputs; null if the form is not available. */
function useChange(run: WorkflowRun) {
  const enabled = canRetryRun(run);
  const { data: starter } = useQuery({ ...starterQuery(run.starter_slug), enabled });
  const schema = useMemo(() => starter && readWorkflowInput(starter.input_schema), [starter]);
  if (!enabled || !starter || !schema?.ok || schema.contract.fields.length === 0) return null;
  const { names, cause } = failedInputs(run, starter, schema.contract);
  return { label: changeLabel(cause), field: names[0], isNeeded: cause !== null };
}

function useRetryAction({ id }: WorkflowRun) {
  const { mutateAsync, isPending } = useRetryRun();
  const navigate = useNavigate();
  const { askDialog, askFor } = useAskOnError();
  // The key stays the same until the outcome is known, so that clicking twice starts one retry.
  const key = useRef<string>(null);
  const retry = async () => {
    if (isPending) return;
    key.current ??= newIdempotencyKey();
    try {
      const started = await mutateAsync({ id, idempotency_key: key.current });
      showToast({ title: 'Retry started', detail: 'Finished steps are kept and not charged again.', tone: 'good' });
      await navigate({ to: '/workflows/runs/$id', params: { id: started.id } });
    } catch (error) {
      if (!isRetryable(error)) key.current = null;
      if (askFor(error, { type: 'workflow_run_retry', workflow_run_id: id })) return;
      showError('Could not retry', error);
    }
  };
  return { retry, isPending, askDialog };
}

const REASON_MAX_LENGTH = 500;

const validateReason = (reason: string) => {
  const length = countCodePoints(reason.trim());
  return length <= REASON_MAX_LENGTH || `Use at most ${REASON_MAX_LENGTH} characters; this has ${length}.`;
};

function CancelRunDialog({ run: { id }, onClose }: { run: WorkflowRun; onClose: () => void }) {
  const { mutateAsync: cancelRun } = useCancelRun();
  const form = useDialogForm({ reason: '' });
  const submit = async ({ reason }: { reason: string }) => {
    const { status } = await cancelRun({ id, reason: reason.trim() || null });
    showToast(
      status === 'canceled'
        ? { title: 'Run canceled', detail: 'Reserved money was released.' }
        : { title: 'Too late to cancel', detail: 'The run had already finished.' },
    );
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Cancel this run?"
      description="The run stops now."
      variant="danger"
      cancelLabel="Keep running"
      submitLabel="Cancel run"
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Reason" optional hint="Shown with the run." error={form.formState.errors.reason?.message}>
        <TextArea rows={2} {...form.register('reason', { validate: validateReason })} />
      </Field>
      <ConsequenceList
        consequences={[
          'Running steps are canceled and their reservations released. Steps that haven’t started won’t run.',
          'Finished steps are kept and stay charged. A retry continues from there.',
        ]}
      />
    </FormDialog>
  );
}
