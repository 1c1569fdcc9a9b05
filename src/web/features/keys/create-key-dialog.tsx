import { useState, useId } from 'react';
import type { ApiKeyCreated, KeyKind } from '#contract/resources/api-key.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useCreateKey } from '#web/api/queries/keys.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { KEY_KIND_LABELS, KEY_KIND_OPTIONS } from './key-kind-labels.ts';

const NAME_MAX_LENGTH = 80;

interface KeyValues {
  name: string;
  kind: KeyKind;
}

/** Creates a key, then shows it once. */
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
