import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { useTaskForm } from '#web/forms/form-context.ts';
import { RequestCodeDialog } from './request-code-dialog.tsx';

export function RequestCodeButton({ task, model }: { task: TaskId; model: ModelId | null }) {
  const { form, uploads } = useTaskForm();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex h-7 items-center rounded-sm px-1.5 text-ink-2 hover:text-ink"
      >
        Code
      </button>
      {open
        ? // Inside the form, a press in the dialog would reach the form's handlers.
          createPortal(
            <RequestCodeDialog
              task={task}
              model={model}
              form={form}
              pendingUploads={uploads.pendingCount()}
              onClose={() => setOpen(false)}
            />,
            document.body,
          )
        : null}
    </>
  );
}
