import { useState } from 'react';
import { ExternalLink } from 'lucide-react';
import type { Provider } from '#contract/resources/provider.ts';
import { useRemoveBillingKey, useSetBillingKey } from '#web/api/queries/providers.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

interface BillingKeyDialogProps {
  provider: Provider & { billing: NonNullable<Provider['billing']> };
  onClose: () => void;
}

/** Sets, replaces or removes the second key of a connection. */
export function BillingKeyDialog({ provider, onClose }: BillingKeyDialogProps) {
  const { id, name, billing } = provider;
  const { mutateAsync: setKey } = useSetBillingKey();
  const [isRemoving, setIsRemoving] = useState(false);
  const form = useDialogForm({ key: '' });
  if (isRemoving) return <RemoveDialog provider={provider} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={`Billing key of ${name}`}
      description="Reads bills once a day, and is used for nothing else: no work is ever ordered with it. It is tested first, stored encrypted and never shown again."
      submitLabel={billing.key_last_four === null ? 'Save key' : 'Replace key'}
      awaitsResponse
      aside={billing.key_last_four === null ? null : <Button onClick={() => setIsRemoving(true)}>Remove key</Button>}
      onSubmit={async ({ key }) => {
        await setKey({ id, key: key.trim() });
        showToast({ title: `Bills of ${name} are read once a day`, tone: 'good' });
        onClose();
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
              <ExternalLink aria-hidden="true" className="ml-1 inline size-3.5" />
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

function RemoveDialog({ provider: { id, name }, onClose }: BillingKeyDialogProps) {
  const { mutate, isPending, error } = useRemoveBillingKey();
  const remove = () =>
    mutate(id, {
      onSuccess: () => {
        showToast({ title: `Bills of ${name} are no longer read` });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={`Remove the billing key of ${name}?`}
      description="Its bills are no longer read."
      consequences={['The key is deleted.', 'Bills that were read stay. Add later ones as files.']}
      cancelLabel="Keep key"
      confirmLabel="Remove key"
      variant="danger"
      busy={isPending}
      error={error}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
