import { Controller, useFormState } from 'react-hook-form';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { MAX_PRESET_NAME_LENGTH } from '#contract/limits.ts';
import type { PresetSummary } from '#contract/resources/preset.ts';
import { useCreatePreset, useDeletePreset, useUpdatePreset } from '#web/api/queries/presets.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { toInput } from '#web/forms/values/form-values.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export type ManageAction = 'rename' | 'replace' | 'delete';
export type PresetAction = { kind: 'save' } | { kind: ManageAction; preset: PresetSummary };

interface PresetDialogsProps {
  action: PresetAction;
  task: TaskId;
  model: AnyModelId | null;
  form: InputForm;
  onClose: () => void;
}

/** The form as a preset keeps it, without empty texts. */
const savedInput = (form: InputForm) =>
  Object.fromEntries(Object.entries(toInput(form.contract, form.values())).filter(([, value]) => value !== ''));

export function PresetDialogs({ action, onClose, ...current }: PresetDialogsProps) {
  if (action.kind === 'save') return <SaveDialog {...current} onClose={onClose} />;
  if (action.kind === 'rename') return <RenameDialog preset={action.preset} onClose={onClose} />;
  if (action.kind === 'replace') return <ReplaceDialog {...current} preset={action.preset} onClose={onClose} />;
  return <DeleteDialog preset={action.preset} onClose={onClose} />;
}

const suggestName = (form: InputForm): string => {
  const { prompt } = form.values();
  const words = typeof prompt === 'string' ? prompt.trim().split(/\s+/).slice(0, 6).join(' ') : '';
  return words.slice(0, MAX_PRESET_NAME_LENGTH);
};

type SaveDialogProps = Omit<PresetDialogsProps, 'action'>;

function SaveDialog({ task, model, form, onClose }: SaveDialogProps) {
  const create = useCreatePreset();
  const dialog = useDialogForm({ name: suggestName(form), shared: false });
  return (
    <FormDialog
      form={dialog}
      title="Save this form"
      description="Keeps the task, the model and every setting. Files stay only as long as they are in the library."
      submitLabel="Save preset"
      onClose={onClose}
      onSubmit={async ({ name, shared }) => {
        const preset = await create.mutateAsync({ name, shared, task, model, input: savedInput(form) });
        showToast({ title: `“${preset.name}” saved`, tone: 'good' });
        onClose();
      }}
    >
      <NameField form={dialog} />
      <Controller
        control={dialog.control}
        name="shared"
        render={({ field: { value, onChange } }) => (
          <Checkbox
            checked={value}
            onChange={onChange}
            label="Share with everyone here"
            hint="Others can apply it. Only you and administrators can change it."
          />
        )}
      />
    </FormDialog>
  );
}

function NameField({ form }: { form: ReturnType<typeof useDialogForm<{ name: string; shared: boolean }>> }) {
  const { errors } = useFormState({ control: form.control });
  return (
    <Field label="Name" error={errors.name?.message} required>
      <TextInput
        {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
        maxLength={MAX_PRESET_NAME_LENGTH}
        autoComplete="off"
      />
    </Field>
  );
}

interface ManageDialogProps {
  preset: PresetSummary;
  onClose: () => void;
}

function RenameDialog({ preset, onClose }: ManageDialogProps) {
  const update = useUpdatePreset();
  const dialog = useDialogForm({ name: preset.name, shared: preset.shared });
  return (
    <FormDialog
      form={dialog}
      size="sm"
      title="Rename preset"
      submitLabel="Rename"
      onClose={onClose}
      onSubmit={async ({ name }) => {
        await update.mutateAsync({ id: preset.id, name });
        onClose();
      }}
    >
      <NameField form={dialog} />
    </FormDialog>
  );
}

function ReplaceDialog({ preset, task, model, form, onClose }: SaveDialogProps & ManageDialogProps) {
  const update = useUpdatePreset();
  const replace = () =>
    update.mutate(
      { id: preset.id, form: { task, model, input: savedInput(form) } },
      {
        onSuccess: ({ name }) => {
          showToast({ title: `“${name}” replaced`, tone: 'good' });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title="Replace preset?"
      description={`“${preset.name}” will keep the form as it is now.`}
      consequences={[
        'Its name stays.',
        'What it held before is lost.',
        ...(preset.shared ? ['Everyone here gets the new form.'] : []),
      ]}
      cancelLabel="Keep as it is"
      confirmLabel="Replace"
      busy={update.isPending}
      error={update.error}
      onConfirm={replace}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ preset, onClose }: ManageDialogProps) {
  const remove = useDeletePreset();
  return (
    <ConfirmDialog
      title="Delete preset?"
      description={`“${preset.name}” cannot be restored.`}
      consequences={['Results and files stay.', ...(preset.shared ? ['It disappears for everyone here.'] : [])]}
      cancelLabel="Keep"
      confirmLabel="Delete"
      variant="danger"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(preset.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
