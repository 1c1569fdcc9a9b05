import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { countCodePoints } from '#web/forms/count-code-points.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useCancelRun } from '#web/api/queries/workflow-runs.ts';
import { ConsequenceList } from '#web/ui/confirm-dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const REASON_MAX_LENGTH = 500;

const validateReason = (reason: string) => {
  const length = countCodePoints(reason.trim());
  return length <= REASON_MAX_LENGTH || `Use at most ${REASON_MAX_LENGTH} characters; this has ${length}.`;
};

export function CancelRunDialog({ run: { id }, onClose }: { run: WorkflowRun; onClose: () => void }) {
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
