import { MAX_MEDIA_NAME_LENGTH } from '#contract/limits.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useRenameMedia } from '#web/api/queries/media-mutations.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { type TitledMedia, mediaTitle } from '#web/media/library/media-labels.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export function RenameMediaDialog({ medium, onClose }: { medium: TitledMedia & { id: string }; onClose: () => void }) {
  const names = useCatalogNames();
  const { mutateAsync: rename } = useRenameMedia();
  const form = useDialogForm({ name: mediaTitle(medium, names).slice(0, MAX_MEDIA_NAME_LENGTH) });
  const { errors } = form.formState;
  return (
    <FormDialog
      form={form}
      title="Rename file"
      description="Downloads get this name. The search finds it."
      size="sm"
      submitLabel="Rename"
      onSubmit={async ({ name }) => {
        const renamed = await rename({ id: medium.id, name: name.trim() });
        showToast({ title: `Renamed to ${mediaTitle(renamed, names)}` });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="Name" required error={errors.name?.message}>
        <TextInput
          {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          maxLength={MAX_MEDIA_NAME_LENGTH}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
    </FormDialog>
  );
}
