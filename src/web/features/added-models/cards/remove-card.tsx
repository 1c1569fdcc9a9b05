import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { useRemoveAddedModel } from '#web/api/queries/added-models.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export function RemoveCard({ model: { id, name } }: { model: AddedModel }) {
  const [isOpen, setIsOpen] = useState(false);
  const remove = useRemoveAddedModel();
  return (
    <>
      <Button
        variant="ghost"
        className="self-start"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => setIsOpen(true)}
      >
        Remove model…
      </Button>
      {isOpen ? (
        <ConfirmDialog
          title={`Remove ${name}?`}
          description="To stop it for a while, pause it instead."
          consequences={[
            'Nobody can start work with it, and running work finishes.',
            'Batches, workflows and retries that name it stop with a reason.',
            'Earlier results stay readable.',
          ]}
          gravest="It can’t be restored, and its ID is not used again."
          cancelLabel="Keep"
          confirmLabel="Remove"
          variant="danger"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(id, {
              onSuccess: () => {
                setIsOpen(false);
                showToast({ title: `${name} is removed` });
              },
            })
          }
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
