import { useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInMethodsQuery } from '#web/api/queries/account.ts';
import { useLinkToken, clearLinkToken } from '#web/api/session/link-token.ts';
import { hasPasskeySupport, signInWithPasskey } from '#web/api/session/passkeys.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { MailForm } from './mail-form.tsx';
import { ENDPOINT_ROUTES } from '#contract/api/endpoint-routes.ts';
import { rememberPendingSignIn } from '#web/api/session/session-marker.ts';
import { buttonClass, Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Fingerprint, KeyRound } from 'lucide-react';
import { trackSignIn } from '#web/api/session/sign-in-attempts.ts';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { signInWithLink, signInWithKey } from '#web/api/session/open-session.ts';
import { useForm } from 'react-hook-form';
import { RevealButton } from '#web/ui/display/secret-box.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';

interface SignInFormProps {
  /** Where the identity provider sends the browser back to: a path of this app. */
  from: string;
  /** Whether an API key will do. */
  takesKeys?: boolean;
  onSignedIn: () => void;
}

/** Signs in with a link, where the page was opened by one, and otherwise in each way that the service offers. */
export function SignInForm({ from, takesKeys = true, onSignedIn }: SignInFormProps) {
  const token = useLinkToken('/sign-in');
  const [linkProblem, setLinkProblem] = useState<string>();
  if (token !== null) return <LinkForm token={token} onSignedIn={onSignedIn} onLeave={setLinkProblem} />;
  return (
    <div className="flex flex-col gap-4">
      {linkProblem ? (
        <Callout tone="bad" title={linkProblem}>
          A link works once. Ask for a new one, or sign in another way. On the machine that runs the service, this
          command prints a link: <code className="font-mono whitespace-nowrap">npm run admin -- sign-in</code>
        </Callout>
      ) : null}
      <SignInMethods from={from} takesKeys={takesKeys} onSignedIn={onSignedIn} />
    </div>
  );
}

function SignInMethods({ from, takesKeys, onSignedIn }: SignInFormProps) {
  const { data: methods, isPending } = useQuery(signInMethodsQuery);
  if (isPending)
    return (
      <Loading label="Loading" className="flex flex-col gap-4">
        <Skeleton className="h-9 w-full rounded-md" />
        <Skeleton className="h-24 w-full rounded-md" />
      </Loading>
    );
  const hasPasskeys = methods?.passkey === true && hasPasskeySupport();
  const hasAccounts = methods !== undefined && (methods.mail || methods.oidc !== null);
  const keyForm = takesKeys ? <KeyForm isMain={!hasAccounts} onSignedIn={onSignedIn} /> : null;
  return (
    <>
      {hasPasskeys ? <PasskeyButton isMain={hasAccounts} onSignedIn={onSignedIn} /> : null}
      {methods?.oidc ? <OidcLink name={methods.oidc.name} from={from} isMain={!hasPasskeys} /> : null}
      {(hasPasskeys || methods?.oidc) && (keyForm || methods?.mail) ? <Or /> : null}
      {methods?.mail ? <MailForm offersPasskeys={hasPasskeys} onSignedIn={onSignedIn} /> : null}
      {hasAccounts && keyForm ? <Disclosure summary="Use an API key">{keyForm}</Disclosure> : keyForm}
    </>
  );
}

const Or = () => (
  <div className="flex items-center gap-3 text-sm text-ink-3">
    <span className="h-px flex-1 bg-line" />
    or
    <span className="h-px flex-1 bg-line" />
  </div>
);

/** Leaves for the identity provider, which sends the browser back to `from`. */
function OidcLink({ name, from, isMain }: { name: string; from: string; isMain: boolean }) {
  return (
    <a
      href={`${ENDPOINT_ROUTES.start_oidc_sign_in.path}?from=${encodeURIComponent(from)}`}
      className={cx(buttonClass({ variant: isMain ? 'primary' : 'secondary' }), 'w-full')}
      onClick={rememberPendingSignIn}
    >
      <span className="min-w-0 truncate">
        Continue with <bdi>{name}</bdi>
      </span>
    </a>
  );
}

function PasskeyButton({ isMain, onSignedIn }: { isMain: boolean; onSignedIn: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => trackSignIn(signInWithPasskey),
    retry: false,
    networkMode: 'always',
    onSuccess: onSignedIn,
  });
  return (
    <div className="flex flex-col gap-2">
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        busy={isPending}
        className="w-full"
        icon={<Fingerprint aria-hidden="true" className="size-4.5" />}
        onClick={() => mutate()}
      >
        Sign in with a passkey
      </Button>
      <div role="alert" className="empty:hidden">
        <ErrorText>{error?.message}</ErrorText>
      </div>
    </div>
  );
}

interface LinkFormProps {
  token: string;
  onSignedIn: () => void;
  /** @param problem why the link does not work; undefined: the person prefers another way */
  onLeave: (problem?: string) => void;
}

/** Signs in with the token of a link, which works once: so not before the person asks for it. */
function LinkForm({ token, onSignedIn, onLeave }: LinkFormProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const leave = (reason?: string) => {
    clearLinkToken();
    onLeave(reason);
  };
  const submit = async () => {
    setBusy(true);
    const result = await signInWithLink(token);
    if (result.outcome === 'refused') return leave(result.reason);
    setBusy(false);
    if (result.outcome === 'unknown') return setProblem(result.reason);
    clearLinkToken();
    onSignedIn();
  };
  return (
    <div className="flex flex-col gap-4">
      {problem ? (
        <Callout tone="bad" title="You are not signed in yet">
          {problem}
        </Callout>
      ) : null}
      <Button variant="primary" busy={isBusy} className="w-full" onClick={() => void submit()}>
        Sign in
      </Button>
      <Button variant="ghost" disabled={isBusy} onClick={() => leave()}>
        Sign in another way
      </Button>
    </div>
  );
}

interface KeyFormProps {
  /** Whether the key is the first thing to do on the page. */
  isMain: boolean;
  onSignedIn: () => void;
}

/** Signs in with an API key (pasted, or from a password manager). */
function KeyForm({ isMain, onSignedIn }: KeyFormProps) {
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
          autoFocus={isMain}
          prefix={<KeyRound aria-hidden="true" className="size-4" />}
          suffix={<RevealButton what="the key" shown={shown} onChange={setShown} className="-mr-1" />}
        />
      </Field>
      <Button type="submit" variant={isMain ? 'primary' : 'secondary'} busy={isSubmitting} className="w-full">
        {isMain ? 'Sign in' : 'Sign in with key'}
      </Button>
    </form>
  );
}
