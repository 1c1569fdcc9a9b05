import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const LazyCompareModelsDialog = lazyComponent(
  async () => (await import('./compare-models-dialog.tsx')).CompareModelsDialog,
);

interface CompareModelsButtonProps {
  task: TaskId;
  model: ModelId;
  form: InputForm;
  signedIn: boolean;
  disabledReason: string | null;
  onSwitch: (model: ModelId) => void;
  onStarted: () => void;
}

export function CompareModelsButton({ onSwitch, onStarted, ...props }: CompareModelsButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={LazyCompareModelsDialog.preload}
        onFocus={LazyCompareModelsDialog.preload}
        onClick={() => setOpen(true)}
        className="flex h-7 items-center rounded-sm px-1.5 text-ink-2 hover:text-ink"
      >
        Compare
      </button>
      {open
        ? // Inside the form, Enter on a checkbox of the dialog would submit it.
          createPortal(
            <LazyCompareModelsDialog
              {...props}
              onClose={() => setOpen(false)}
              onSwitch={(model) => {
                setOpen(false);
                onSwitch(model);
              }}
              onStarted={() => {
                setOpen(false);
                onStarted();
              }}
            />,
            document.body,
          )
        : null}
    </>
  );
}
