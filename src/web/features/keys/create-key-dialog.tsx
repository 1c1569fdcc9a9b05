import { useState, useId } from 'react';
import type { ApiKeyCreated, KeyKind } from '#contract/resources/api-key.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useCreateKey, createSignInLink } from '#web/api/queries/keys.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { KEY_KIND_LABELS, KEY_KIND_OPTIONS } from './key-kind-labels.ts';
import { useMutation } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { maskKey } from '#web/api/session/mask-key.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { SecretBox } from '#web/ui/secret-box.tsx';
import { OneTimeSecretDialog } from '#web/ui/one-time-secret-dialog.tsx';

const NAME_MAX_LENGTH = 80;

interface KeyValues {
  name: string;
  kind: KeyKind;
}

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: createKey } = useCreateKey();
  const [created, setCreated] = useState<ApiKeyCreated>();
  const form = useDialogForm<KeyValues>({ name: '', kind: 'member' });
  const { register, formState } = form;
  if (created) return <NewKeyDialog created={created} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title="New key"
      submitLabel="Create key"
      awaitsResponse
      onSubmit={async ({ name, kind }) => setCreated(await createKey({ name: name.trim(), kind }))}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="The person or program that uses this key. Shown next to everything it creates."
        error={formState.errors.name?.message}
      >
        <TextInput
          {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
          maxLength={NAME_MAX_LENGTH}
          autoComplete="off"
          placeholder="Ana, or blog import"
        />
      </Field>
      <KeyKindField register={register('kind')} />
    </FormDialog>
  );
}

function KeyKindField({ register }: { register: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <Field label="Access" group>
      <div role="radiogroup" aria-label="Access" className="flex flex-col gap-2">
        {KEY_KIND_OPTIONS.map((kind) => (
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

function NewKeyDialog({ created: { name, kind, key }, onClose }: { created: ApiKeyCreated; onClose: () => void }) {
  const link = useMutation(createSignInLink);
  return (
    <OneTimeSecretDialog
      title={`Key for “${name}”`}
      advice="Copy it now and store it in a password manager. It cannot be shown again."
      onClose={onClose}
    >
      <SecretBox what="the key" secret={key} masked={maskKey(key)} />
      <div className="flex flex-wrap gap-2">
        <CopyButton labeled text={key} label="Copy key" />
        {kind === 'publishing' ? null : link.data === undefined ? (
          <Button
            size="sm"
            busy={link.isPending}
            icon={<Link2 aria-hidden="true" className="size-4" />}
            onClick={() => link.mutate(key)}
          >
            Create sign-in link
          </Button>
        ) : (
          <CopyButton labeled text={link.data} label="Copy sign-in link" />
        )}
      </div>
      {kind === 'publishing' ? null : (
        <p className="text-sm text-ink-3">
          {link.error
            ? `The sign-in link could not be created. ${link.error.message}`
            : 'A sign-in link opens the studio without revealing the key. It works once and expires after 24 hours.'}
        </p>
      )}
    </OneTimeSecretDialog>
  );
}
