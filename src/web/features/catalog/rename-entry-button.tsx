import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { CatalogDisplay, CatalogId } from '#contract/resources/catalog.ts';
import { CATALOG_LABEL_LIMITS } from '#contract/limits.ts';
import { useIsAdministrator } from '#web/api/queries/me.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useDeleteCatalogLabel, useSetCatalogLabel } from '#web/api/queries/catalog.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export interface RenamedEntry {
  id: CatalogId;
  originalName: string;
  /** What is shown without a description of the administrator; none for a model. */
  originalDescription?: string;
  display: CatalogDisplay | undefined;
}

/** Opens the name of a model or task, for administrators. */
export function RenameEntryButton(entry: RenamedEntry) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAdministrator()) return null;
  return (
    <>
      <IconButton
        size="sm"
        label={`Rename ${entry.display?.name ?? entry.originalName}`}
        icon={<Pencil aria-hidden="true" className="size-4" />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen ? <RenameDialog {...entry} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function RenameDialog(props: RenamedEntry & { onClose: () => void }) {
  const { id, originalName, originalDescription, display, onClose } = props;
  const { mutateAsync: save } = useSetCatalogLabel();
  const { mutate: reset, isPending: isResetting } = useDeleteCatalogLabel();
  const form = useDialogForm({ name: display?.name ?? originalName, description: display?.description ?? '' });
  const { errors } = form.formState;
  const restoreName = () =>
    reset(id, {
      onSuccess: () => {
        showToast({ title: `${originalName} has its original name` });
        onClose();
      },
      onError: toastError('Not changed'),
    });
  return (
    <FormDialog
      form={form}
      title={`Rename ${originalName}`}
      description="Everyone on this service sees this name. The id in requests stays the same."
      size="sm"
      submitLabel="Save"
      aside={
        display ? (
          <Button variant="ghost" className="mr-auto" busy={isResetting} onClick={restoreName}>
            Use original name
          </Button>
        ) : undefined
      }
      onSubmit={async ({ name, description }) => {
        await save({ id, name: name.trim(), description: description.trim() || null });
        showToast({ title: `${originalName} is now ${name.trim()}` });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="Name" required error={errors.name?.message}>
        <TextInput
          {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          maxLength={CATALOG_LABEL_LIMITS.name}
          autoComplete="off"
        />
      </Field>
      <Field label="Description" optional hint="One line, shown under the name." error={errors.description?.message}>
        <TextInput
          {...form.register('description')}
          placeholder={originalDescription}
          maxLength={CATALOG_LABEL_LIMITS.description}
          autoComplete="off"
        />
      </Field>
    </FormDialog>
  );
}
