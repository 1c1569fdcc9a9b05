import { useState } from 'react';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const UpdateDialog = lazyComponent(async () => (await import('./update-dialog.tsx')).UpdateDialog);

/** Compares a model with what its provider has now. */
export function UpdateButton({ model, label }: { model: AddedModel; label: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen ? <UpdateDialog model={model} onClose={() => setIsOpen(false)} fallback={null} /> : null}
    </>
  );
}
