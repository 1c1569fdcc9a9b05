import { useState, useId } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { hasReadOnlyKeys } from '#contract/permissions.ts';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { useCreateKey } from '#web/api/queries/keys.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
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
        <KeyKindField register={form.register('kind')} managesAll={managesAll} />
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

interface KeyKindFieldProps {
  register: UseFormRegisterReturn;
  managesAll: boolean;
}

function KeyKindField({ register, managesAll }: KeyKindFieldProps) {
  const id = useId();
  return (
    <Field label="Access" group>
      <div role="radiogroup" aria-label="Access" className="flex flex-col gap-2">
        {KEY_KIND_OPTIONS.filter((kind) => managesAll || kind !== 'organization').map((kind) => (
          <label
            key={kind}
            className="flex gap-3 rounded-md border border-line-strong px-3 py-2.5 transition-colors hover:bg-hover has-checked:border-amber has-checked:bg-amber-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              {...register}
              value={kind}
              aria-labelledby={`${id}-${kind}`}
              aria-describedby={`${id}-${kind}-access`}
              className="mt-0.5 size-4 flex-none accent-(--amber) outline-none"
            />
            <span>
              <span id={`${id}-${kind}`} className="block font-medium">
                {KEY_KIND_LABELS[kind].label}
              </span>
              <span id={`${id}-${kind}-access`} className="block text-sm text-ink-2">
                {KEY_KIND_LABELS[kind].sentence}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Field>
  );
}
