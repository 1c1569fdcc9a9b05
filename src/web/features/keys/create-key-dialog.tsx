import { useState } from 'react';
import type { ApiKeyCreated, KeyKind } from '#contract/resources/api-key.ts';
import { ApiError } from '#web/api-errors.ts';
import { useCreateKey } from '#web/queries/keys.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { KindChoice } from './kind-choice.tsx';
import { NewKey } from './new-key.tsx';

const LONGEST_NAME = 80;

/** Makes a key, then shows it, once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { mutate, isPending, error, reset } = useCreateKey();
  const [made, setMade] = useState<ApiKeyCreated>();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('member');
  const [asked, setAsked] = useState(false);
  if (made) return <NewKey made={made} onClose={onClose} />;

  const missing = name.trim() === '';
  const about = (path: string) =>
    error instanceof ApiError ? error.details.find((detail) => detail.path === path)?.message : undefined;
  const nameProblem = asked && missing ? 'Say whose key it is.' : about('name');
  const submit = () => {
    setAsked(true);
    if (!missing) mutate({ name: name.trim(), kind }, { onSuccess: setMade });
  };
  return (
    <FormDialog
      title="New key"
      go="Make the key"
      busy={isPending}
      problem={nameProblem ? null : error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Whose key is it?"
        hint="A person or a program. It stands beside everything made with it."
        error={nameProblem}
      >
        <TextInput
          value={name}
          maxLength={LONGEST_NAME}
          placeholder="Ana, or blog import"
          onChange={(event) => {
            setName(event.target.value);
            if (error) reset();
          }}
        />
      </Field>
      <KindChoice value={kind} onChange={setKind} />
    </FormDialog>
  );
}
