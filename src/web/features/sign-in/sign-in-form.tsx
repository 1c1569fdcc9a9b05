import { useState, type ReactNode } from 'react';
import { KeyRound } from 'lucide-react';
import { useController, useForm } from 'react-hook-form';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { RevealButton } from '#web/ui/secret-box.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { clearLinkToken, useLinkToken } from '#web/api/session/link-token.ts';
import { exchangeToken, exchangeKey } from '#web/api/session/exchange-key.ts';
import { signIn } from '#web/api/session/session.ts';

/** Signs in with the token of a link or with a key (pasted, or from a password manager). */
export function SignInForm({ onSignedIn, children }: { onSignedIn: () => void; children?: ReactNode }) {
  const token = useLinkToken();
  const [linkProblem, setLinkProblem] = useState<string>();
  const [shown, setShown] = useState(false);
  const { register, control, handleSubmit, setError, clearErrors, formState } = useForm({
    defaultValues: { password: '', remember: false },
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting } = formState;
  const { field: remember } = useController({ control, name: 'remember' });

  const leaveLink = (problem?: string) => {
    clearLinkToken();
    setLinkProblem(problem);
    clearErrors();
  };
  const submit = handleSubmit(async (values) => {
    const result = token === null ? await exchangeKey(values.password.trim()) : await exchangeToken(token);
    if (result.outcome === 'refused' && token !== null) return leaveLink(result.reason);
    if (result.outcome !== 'opened') {
      const error = { type: 'server', message: result.reason };
      return token === null ? setError('password', error, { shouldFocus: true }) : setError('root.link', error);
    }
    clearLinkToken();
    const scope = values.remember ? 'device' : 'tab';
    signIn(result.secret, result.storable ? scope : 'page');
    onSignedIn();
  });

  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {token === null ? (
        <>
          {linkProblem ? (
            <Callout tone="bad" title={linkProblem}>
              A link works once. Ask for a new one, or sign in with a key. On the machine that runs the service, this
              command prints a link: <code className="font-mono whitespace-nowrap">npm run admin -- sign-in</code>
            </Callout>
          ) : null}
          <input type="text" name="username" autoComplete="username" value="Emulsion" readOnly hidden />
          <Field
            label="Key"
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
              autoFocus
              prefix={<KeyRound aria-hidden="true" className="size-4" />}
              suffix={<RevealButton what="the key" shown={shown} onChange={setShown} className="-mr-1" />}
            />
          </Field>
        </>
      ) : errors.root?.['link'] ? (
        <Callout tone="bad" title="You are not signed in yet">
          {errors.root['link'].message}
        </Callout>
      ) : null}
      <Checkbox
        checked={remember.value}
        onChange={remember.onChange}
        label="Stay signed in on this device"
        hint="Otherwise you are signed out when you close this tab."
      />
      <Button type="submit" variant="primary" busy={isSubmitting} className="w-full">
        Sign in
      </Button>
      {token === null ? null : (
        <Button variant="ghost" disabled={isSubmitting} onClick={() => leaveLink()}>
          Use a key instead
        </Button>
      )}
      {children}
    </form>
  );
}
