import { useEffect, useState } from 'react';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { useUpdateAddedModel } from '#web/api/queries/added-models.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { DescriptionList } from '#web/ui/display/section.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { edits } from '#web/features/added-models/edits.ts';

interface NameValues {
  name: string;
  description: string;
}
const editKey = ({ id }: AddedModel) => `${id} name`;

/** What people read about a model. */
export function NameCard({ model }: { model: AddedModel }) {
  const [isOpen, setIsOpen] = useState(edits.get(editKey(model)) !== undefined);
  const close = () => {
    edits.delete(editKey(model));
    setIsOpen(false);
  };
  return (
    <Card
      title="Name"
      actions={
        <Button size="sm" onClick={() => setIsOpen(true)}>
          Rename
        </Button>
      }
    >
      <DescriptionList
        rows={[
          { name: 'Name', value: model.name },
          { name: 'Best for', value: model.description ?? <span className="text-ink-3">Not set</span> },
        ]}
      />
      {isOpen ? <RenameDialog model={model} onClose={close} /> : null}
    </Card>
  );
}

function RenameDialog({ model, onClose }: { model: AddedModel; onClose: () => void }) {
  const { mutateAsync: save } = useUpdateAddedModel();
  const form = useDialogForm(
    (edits.get(editKey(model)) as NameValues | undefined) ?? { name: model.name, description: model.description ?? '' },
  );
  const { subscribe, formState } = form;
  const { errors } = formState;
  useEffect(
    () =>
      subscribe({ formState: { values: true }, callback: ({ values }) => edits.set(editKey(model), { ...values }) }),
    [subscribe, model],
  );
  return (
    <FormDialog
      form={form}
      size="sm"
      title={`Rename ${model.name}`}
      description="Everyone sees this name. The ID in requests stays the same."
      submitLabel="Save"
      onSubmit={async ({ name, description }) => {
        await save({ id: model.id, name: name.trim(), description: description.trim() || null });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="Name" required error={errors.name?.message}>
        <TextInput
          {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          maxLength={60}
          autoComplete="off"
        />
      </Field>
      <Field label="Best for" optional hint="One line, shown under the name." error={errors.description?.message}>
        <TextInput {...form.register('description')} maxLength={160} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
