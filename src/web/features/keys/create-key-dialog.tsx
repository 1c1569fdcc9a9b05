import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { hasReadOnlyKeys } from '#contract/permissions.ts';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { useCreateKey } from '#web/api/queries/keys.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { RadioCards } from '#web/ui/controls/radio-cards.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { type KeyFormValues, KeyNameField, KeyRestrictions, restrictionValues, toRestrictions } from './key-fields.tsx';
import { KEY_KIND_LABELS, KEY_KIND_OPTIONS } from './key-kind-labels.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

const OWNERS = [
  { value: 'program' as const, label: 'A program: the key stays when people leave' },
  { value: 'me' as const, label: 'Me: the key can do no more than I can, and ends with my account' },
];

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: createKey } = useCreateKey();
  const person = useQuery(meQuery).data?.person ?? null;
  const managesAll = useCan('keys.manage');
  const onlyReads = hasReadOnlyKeys(person?.role);
  const [created, setCreated] = useState<ApiKeyCreated>();
  const form = useDialogForm<KeyFormValues>({
    name: '',
    kind: onlyReads ? 'organization' : 'member',
    owner: managesAll ? 'program' : 'me',
    ...restrictionValues({ scopes: null, expires_at: null }),
  });
  if (created) return <NewKeyDialog created={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="New key"
      submitLabel="Create key"
      awaitsResponse
      onSubmit={async ({ name, kind, owner, ...values }) =>
        setCreated(
          await createKey({ name: name.trim(), kind, ...(person ? { owner } : {}), ...toRestrictions(values) }),
        )
      }
      onClose={onClose}
    >
      <KeyNameField form={form} />
      {onlyReads ? (
        <p className="text-sm text-ink-2">
          It reads and exports what you can, under your name, and ends with your account or role.
        </p>
      ) : (
        <RadioCards
          label="Access"
          options={KEY_KIND_OPTIONS.filter((kind) => managesAll || kind !== 'organization').map((value) => ({
            value,
            label: KEY_KIND_LABELS[value].label,
            hint: KEY_KIND_LABELS[value].sentence,
          }))}
          register={form.register('kind')}
        />
      )}
      {person && managesAll ? (
        <Field label="Belongs to">
          <Select value={form.watch('owner')} onChange={(owner) => form.setValue('owner', owner)} options={OWNERS} />
        </Field>
      ) : null}
      <Disclosure summary="Limits and expiry">
        <div className="flex flex-col gap-4">
          <KeyRestrictions form={form} onlyReads={onlyReads} />
        </div>
      </Disclosure>
    </FormDialog>
  );
}
