import { useNavigate } from '@tanstack/react-router';
import { MAX_COLLECTION_NAME_LENGTH } from '#contract/limits.ts';
import { useCreateCollection } from '#web/api/queries/collections.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useCollect } from '#web/media/library/collections/use-collect.ts';
import { formatFileCount } from '#web/media/library/media-labels.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';

interface NewCollectionDialogProps {
  /** Files that go into it. */
  media_ids: readonly string[];
  onClose: () => void;
}

export function NewCollectionDialog({ media_ids, onClose }: NewCollectionDialogProps) {
  const { mutateAsync: createCollection } = useCreateCollection();
  const collect = useCollect();
  const navigate = useNavigate();
  const form = useDialogForm<{ name: string }>({ name: '' });
  const { errors } = form.formState;
  return (
    <FormDialog
      form={form}
      size="sm"
      title="New collection"
      description={media_ids.length > 0 ? `With ${formatFileCount(media_ids.length)}` : undefined}
      submitLabel="Create"
      onSubmit={async ({ name }) => {
        const collection = await createCollection({ name: name.trim() });
        onClose();
        if (media_ids.length > 0) await collect(collection, media_ids);
        else await navigate({ to: '/library', search: { collection: collection.id } });
      }}
      onClose={onClose}
    >
      <Field label="Name" error={errors.name?.message}>
        <TextInput
          {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          data-autofocus=""
          maxLength={MAX_COLLECTION_NAME_LENGTH}
          autoComplete="off"
          placeholder="Summer campaign"
        />
      </Field>
    </FormDialog>
  );
}
