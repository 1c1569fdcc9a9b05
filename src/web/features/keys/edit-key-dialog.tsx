import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { hasReadOnlyKeys } from '#contract/permissions.ts';
import type { ApiKey, ApiKeyCreated } from '#contract/resources/api-key.ts';
import { keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useRotateKey, useUpdateKey } from '#web/api/queries/keys.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { type KeyFormValues, KeyNameField, KeyRestrictions, restrictionValues, toRestrictions } from './key-fields.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

interface KeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Renames a key and changes its limits. */
export function EditKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const update = useUpdateKey();
  const onlyReads = hasReadOnlyKeys(useQuery(meQuery).data?.person?.role);
  const form = useDialogForm<KeyFormValues>({
    name: apiKey.name,
    kind: apiKey.kind,
    owner: apiKey.person ? 'me' : 'program',
    ...restrictionValues(apiKey),
  });
  return (
    <FormDialog
      form={form}
      title="Name and limits"
      description={`ID ${keyIdSuffix(apiKey.id)}`}
      submitLabel="Save"
      onSubmit={async ({ name, kind: _kind, owner: _owner, ...values }) => {
        await update.mutateAsync({ id: apiKey.id, name: name.trim(), ...toRestrictions(values) });
        showToast({ title: 'Key changed', detail: `“${name.trim()}” has its new limits.` });
        onClose();
      }}
      onClose={onClose}
    >
      <KeyNameField form={form} />
      <KeyRestrictions form={form} onlyReads={onlyReads} />
    </FormDialog>
  );
}

type Overlap = '0' | '1' | '24' | '168';

const OVERLAPS: { value: Overlap; label: string }[] = [
  { value: '24', label: 'For 24 hours' },
  { value: '1', label: 'For an hour' },
  { value: '168', label: 'For 7 days' },
  { value: '0', label: 'Not at all: it stops working now' },
];

/** Replaces the secret of a key. */
export function RotateKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const rotate = useRotateKey();
  const [created, setCreated] = useState<ApiKeyCreated>();
  const form = useDialogForm<{ overlapHours: Overlap }>({ overlapHours: '24' });
  if (created) return <NewKeyDialog created={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={`Rotate “${apiKey.name}”?`}
      description="It gets a new secret and keeps its name, limits, budget and history."
      submitLabel="Rotate key"
      awaitsResponse
      onSubmit={async ({ overlapHours }) =>
        setCreated(await rotate.mutateAsync({ id: apiKey.id, overlapHours: Number(overlapHours) }))
      }
      onClose={onClose}
    >
      <Field label="The previous secret stays valid">
        <Select
          value={form.watch('overlapHours')}
          onChange={(hours) => form.setValue('overlapHours', hours)}
          options={OVERLAPS}
        />
      </Field>
    </FormDialog>
  );
}
