import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { signInWithKey } from '#web/api/session/open-session.ts';
import { trackSignIn } from '#web/api/session/sign-in-attempts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { RevealButton } from '#web/ui/secret-box.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

interface KeyFormProps {
  /** Whether the key is the first thing to do on the page. */
  is_main: boolean;
  onSignedIn: () => void;
}

/** Signs in with an API key (pasted, or from a password manager). */
export function KeyForm({ is_main, onSignedIn }: KeyFormProps) {
  const [shown, setShown] = useState(false);
  const { register, handleSubmit, setError, clearErrors, formState } = useForm({
    defaultValues: { password: '' },
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ password }) => {
    const result = await trackSignIn(() => signInWithKey(password.trim()));
    if (result.outcome === 'opened') onSignedIn();
    else setError('password', { type: 'server', message: result.reason }, { shouldFocus: true });
  });
  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <input type="text" name="username" autoComplete="username" value="Emulsion" readOnly hidden />
      <Field
        label="API key"
        error={errors.password?.message}
        hint={errors.password ? undefined : 'It starts with mgs_org_ or mgs_usr_.'}
      >
        <TextInput
          type={shown ? 'text' : 'password'}
          // The name by which password managers find it.
          {...register('password', {
            validate: (key) => key.trim() !== '' || 'Paste your key first.',
            onChange: () => clearErrors('password'),
          })}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do here, on a page or in a dialog
          autoFocus={is_main}
          prefix={<KeyRound aria-hidden="true" className="size-4" />}
          suffix={<RevealButton what="the key" shown={shown} onChange={setShown} className="-mr-1" />}
        />
      </Field>
      <Button type="submit" variant={is_main ? 'primary' : 'secondary'} busy={isSubmitting} className="w-full">
        {is_main ? 'Sign in' : 'Sign in with key'}
      </Button>
    </form>
  );
}
