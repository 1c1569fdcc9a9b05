import type { Provider } from '#contract/resources/provider.ts';
import { useRotateProviderKey } from '#web/api/queries/providers.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export function RotateKeyDialog({ provider: { id, name }, onClose }: { provider: Provider; onClose: () => void }) {
  const { mutateAsync: rotate } = useRotateProviderKey();
  const form = useDialogForm({ key: '' });
  return (
    <FormDialog
      form={form}
      title={`Replace the key of ${name}`}
      description="The new key is tested first. Running jobs finish with the previous one, which is then deleted."
      submitLabel="Replace key"
      awaitsResponse
      onSubmit={async ({ key }) => {
        await rotate({ id, key: key.trim() });
        showToast({ title: `${name} uses the new key` });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="New key" error={form.formState.errors.key?.message}>
        <TextInput
          type="password"
          {...form.register('key', { validate: (key) => key.trim() !== '' || 'Paste the new key.' })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}
