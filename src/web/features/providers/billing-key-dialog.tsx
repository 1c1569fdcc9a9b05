import type { Provider } from '#contract/resources/provider.ts';
import { useRemoveBillingKey, useSetBillingKey } from '#web/api/queries/providers.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

interface BillingKeyDialogProps {
  provider: Provider & { billing: NonNullable<Provider['billing']> };
  onClose: () => void;
}

/** Sets, replaces or removes the second key of a connection. */
export function BillingKeyDialog({ provider: { id, name, billing }, onClose }: BillingKeyDialogProps) {
  const { mutateAsync: setKey } = useSetBillingKey();
  const { mutate: removeKey, isPending } = useRemoveBillingKey();
  const form = useDialogForm({ key: '' });
  const finish = (title: string) => {
    showToast({ title });
    onClose();
  };
  const remove = () =>
    removeKey(id, {
      onSuccess: () => finish(`Bills of ${name} are no longer read`),
      onError: (error) => showToast({ title: 'Key not removed', detail: error.message, tone: 'bad' }),
    });
  const isSet = billing.key_last_four !== null;
  return (
    <FormDialog
      form={form}
      title={`Billing key of ${name}`}
      description="Reads bills once a day, and is used for nothing else: no work is ordered with it. It is tested first, stored encrypted and never shown again."
      submitLabel={isSet ? 'Replace key' : 'Save key'}
      awaitsResponse
      aside={
        isSet ? (
          <Button busy={isPending} onClick={remove}>
            Remove key …{billing.key_last_four}
          </Button>
        ) : null
      }
      onSubmit={async ({ key }) => {
        await setKey({ id, key: key.trim() });
        finish(`Bills of ${name} are read once a day`);
      }}
      onClose={onClose}
    >
      <Field
        label="Billing key"
        error={form.formState.errors.key?.message}
        hint={
          <>
            {billing.key_hint}{' '}
            <a href={billing.key_url} target="_blank" rel="noreferrer" className="underline underline-offset-2">
              Create one
            </a>
          </>
        }
      >
        <TextInput
          type="password"
          {...form.register('key', { validate: (key) => key.trim() !== '' || 'Paste the billing key.' })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}
