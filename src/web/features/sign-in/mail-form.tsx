import { useMutation } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { ApiError } from '#web/api/api-errors.ts';
import { mailSignInLink } from '#web/api/queries/account.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { useEffect, useEffectEvent } from 'react';
import { useIsSigningIn } from '#web/api/session/sign-in-attempts.ts';

interface MailFormProps {
  /** Whether the suggestions of the field include passkeys. */
  offersPasskeys: boolean;
  /** Called after a sign-in with a suggested passkey. */
  onSignedIn: () => void;
}

/** Asks for a mailed sign-in link. Nobody learns here whether an address is known. */
export function MailForm({ offersPasskeys, onSignedIn }: MailFormProps) {
  const { mutateAsync, isSuccess, variables, reset } = useMutation(mailSignInLink);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { email: '' } });
  usePasskeyAutofill({
    enabled: offersPasskeys && !isSuccess,
    onSignedIn,
    onError: (message) => setError('email', { type: 'server', message }),
  });
  const submit = handleSubmit(({ email }) =>
    mutateAsync({ email: email.trim() }).catch((error: Error) => {
      const [detail] = error instanceof ApiError ? error.details : [];
      setError('email', { type: 'server', message: detail?.message ?? error.message }, { shouldFocus: true });
    }),
  );
  if (isSuccess)
    return (
      <Callout
        tone="good"
        title="Check your mail"
        action={
          <Button size="sm" onClick={reset}>
            Use another address
          </Button>
        }
      >
        If somebody here has the address {variables.email}, a sign-in link is on its way. It works once, within 15
        minutes.
      </Callout>
    );
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <Field label="Mail address" error={formState.errors.email?.message}>
        <TextInput
          type="email"
          {...register('email', { validate: (email) => email.trim() !== '' || 'Enter your mail address.' })}
          autoComplete={offersPasskeys ? 'username webauthn' : 'email'}
          autoCapitalize="none"
          spellCheck={false}
          prefix={<Mail aria-hidden="true" className="size-4" />}
        />
      </Field>
      <Button type="submit" busy={formState.isSubmitting} className="w-full">
        Mail me a sign-in link
      </Button>
    </form>
  );
}

interface PasskeyAutofill {
  enabled: boolean;
  onSignedIn: () => void;
  onError: (message: string) => void;
}

/** Offers passkeys in the suggestions of the mail field while `enabled` and no other sign-in is under way. */
function usePasskeyAutofill({ enabled, ...options }: PasskeyAutofill): void {
  const onSignedIn = useEffectEvent(options.onSignedIn);
  const onError = useEffectEvent(options.onError);
  const isOffering = !useIsSigningIn() && enabled;
  useEffect(() => {
    if (!isOffering) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    void import('#web/api/session/passkey-autofill.ts')
      .then(({ offerPasskeys }) =>
        offerPasskeys({ signal, onSignedIn: () => onSignedIn(), onError: (message) => onError(message) }),
      )
      // Not loaded: the button remains.
      .catch(() => undefined);
    return () => controller.abort();
  }, [isOffering]);
}
