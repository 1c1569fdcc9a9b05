import { useState } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { codePoints } from '#web/forms/code-points.ts';
import { useCancelRun } from '#web/queries/workflow-runs.ts';
import { ConsequenceDialog } from '#web/ui/consequence-dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const MOST = 500;

/** Stops a run, with a reason for those who ask later. */
export function CancelDialog({ run, onClose }: { run: WorkflowRun; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useCancelRun();
  const length = codePoints(reason.trim());
  const go = () => {
    if (length > MOST) return;
    mutate(
      { id: run.id, reason: reason.trim() || null },
      {
        onSuccess: ({ status }) => {
          showToast(
            status === 'canceled'
              ? { title: 'Canceled', detail: 'What was held for steps at work came back.' }
              : { title: 'Too late to cancel', detail: 'It had already ended.' },
          );
          onClose();
        },
      },
    );
  };
  return (
    <ConsequenceDialog
      title="Cancel this run?"
      description="It stops where it is."
      variant="danger"
      consequences={[
        'Steps at work are stopped, and the money held for them comes back. Those that have not begun never will.',
        'What is finished is kept, and stays paid for. Trying again later goes on from there.',
      ]}
      keep="Let it go on"
      go="Cancel the run"
      busy={isPending}
      error={error}
      onGo={go}
      onClose={onClose}
    >
      <Field
        label="Reason"
        optional
        hint="Shown with the run."
        error={length > MOST ? `A reason takes at most ${MOST} characters; it has ${length}.` : undefined}
      >
        <TextArea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConsequenceDialog>
  );
}
