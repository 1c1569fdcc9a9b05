import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { InvitationPreview } from '#contract/resources/person.ts';
import { api } from '#web/api/api.ts';
import { ApiError, shouldRetry } from '#web/api/api-errors.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { clearLinkToken, useLinkToken } from '#web/api/session/link-token.ts';
import { openSession } from '#web/api/session/open-session.ts';
import { useSession } from '#web/api/session/session.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { Fingerprint } from 'lucide-react';
import { signInMethodsQuery, useAddPasskey } from '#web/api/queries/account.ts';
import { describeBrowser } from '#web/api/describe-browser.ts';
import { hasPasskeySupport } from '#web/api/session/passkeys.ts';

/** Accepts an invitation: shows what it is for, asks for the name, and offers to add a passkey. */
export function InvitationPage() {
  const token = useLinkToken('/invitation');
  const navigate = useNavigate();
  const [isAccepted, setAccepted] = useState(false);
  if (isAccepted)
    return (
      <SignInFrame title="You are in" intro="Add a passkey to sign in next time without a password or a mail.">
        <AddPasskey onDone={() => void navigate({ to: '/', replace: true })} />
      </SignInFrame>
    );
  if (token === null) return <InvitationUnusable />;
  return (
    <InvitationContent
      token={token}
      onAccepted={() => {
        setAccepted(true);
        clearLinkToken();
      }}
    />
  );
}

interface InvitationContentProps {
  token: string;
  onAccepted: () => void;
}

function InvitationContent({ token, onAccepted }: InvitationContentProps) {
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.call('preview_invitation', { body: { token }, signal }),
    retry: shouldRetry,
    staleTime: Infinity,
    gcTime: 0,
  });
  const signedIn = useSession() === 'signed_in';
  const { data: invitation, error, refetch } = preview;
  if (error instanceof ApiError && error.status < 429) return <InvitationUnusable />;
  if (invitation)
    return (
      <SignInFrame title={`Join ${invitation.organization}`} intro={<InvitationIntro invitation={invitation} />}>
        {signedIn ? (
          <div className="mb-4">
            <Callout tone="amber" title="You are signed in already">
              Accepting the invitation replaces that session in this browser.
            </Callout>
          </div>
        ) : null}
        <AcceptForm token={token} invitation={invitation} onAccepted={onAccepted} />
      </SignInFrame>
    );
  return (
    <SignInFrame title="Invitation" intro={error ? 'Your invitation could not be loaded.' : 'Loading your invitation…'}>
      {error ? (
        <Callout
          tone="bad"
          title="Try again"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {error instanceof Error ? error.message : null}
        </Callout>
      ) : (
        <Loading label="Loading invitation">
          <SkeletonText lines={4} />
        </Loading>
      )}
    </SignInFrame>
  );
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function InvitationIntro({ invitation }: { invitation: InvitationPreview }) {
  const { label, description } = ROLE_LABELS[invitation.role];
  return (
    <>
      {invitation.invited_by ?? 'An administrator'} invites you as{' '}
      <strong className="font-semibold text-ink">{label.toLowerCase()}</strong>: {lowerFirst(description)}.
    </>
  );
}

function AcceptForm({ token, invitation, onAccepted }: InvitationContentProps & { invitation: InvitationPreview }) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { name: invitation.name ?? '', email: '' },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ name, email }) => {
    try {
      const body = { token, name: name.trim(), ...(invitation.email === null ? { email: email.trim() || null } : {}) };
      await openSession('accept_invitation', { body });
      onAccepted();
    } catch (error) {
      const details = error instanceof ApiError ? error.details : [];
      const isField = (path: string): path is 'name' | 'email' => path === 'name' || path === 'email';
      for (const { path, message } of details) if (isField(path)) setError(path, { type: 'server', message });
      if (details.some(({ path }) => isField(path))) return;
      const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
      const isTaken = error instanceof ApiError && error.code === 'email_taken';
      setError(isTaken ? 'email' : 'root.server', { type: 'server', message });
    }
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label="Your name" error={errors.name?.message} hint="Shown beside your work.">
        <TextInput
          {...register('name', { validate: (name) => name.trim() !== '' || 'Enter your name.' })}
          maxLength={80}
          autoComplete="name"
        />
      </Field>
      {invitation.email === null ? (
        <Field label="Mail address" error={errors.email?.message} hint="To get sign-in links." optional>
          <TextInput type="email" {...register('email')} autoComplete="email" autoCapitalize="none" />
        </Field>
      ) : (
        <p className="text-sm text-ink-2 wrap-anywhere">Mail address: {invitation.email}</p>
      )}
      <div role="alert" className="empty:hidden">
        <ErrorText>{errors.root?.['server']?.message}</ErrorText>
      </div>
      <Button type="submit" variant="primary" busy={isSubmitting} className="w-full">
        Accept invitation
      </Button>
    </form>
  );
}

const InvitationUnusable = () => (
  <SignInFrame
    title="This invitation does not work"
    intro="It was already used, revoked, or has expired. Open the link from the invitation again, or ask your administrator for a new one."
  >
    <Link to="/sign-in" search={{}} className={buttonClass()}>
      Go to sign-in
    </Link>
  </SignInFrame>
);

/** Offers a passkey after the first sign-in. */
function AddPasskey({ onDone }: { onDone: () => void }) {
  const { data: methods } = useQuery(signInMethodsQuery);
  const { mutate, isPending, error } = useAddPasskey();
  const isPossible = methods?.passkey === true && hasPasskeySupport();
  return (
    <div className="flex flex-col gap-3">
      {isPossible ? (
        <Button
          variant="primary"
          busy={isPending}
          className="w-full"
          icon={<Fingerprint aria-hidden="true" className="size-4.5" />}
          onClick={() => mutate(describeBrowser(navigator.userAgent), { onSuccess: onDone })}
        >
          Add a passkey
        </Button>
      ) : (
        <p className="text-sm text-ink-2">
          Passkeys need HTTPS and a browser that supports them. You can add one later under “Your account”.
        </p>
      )}
      <div role="alert" className="empty:hidden">
        <ErrorText>{error?.message}</ErrorText>
      </div>
      <Button variant={isPossible ? 'ghost' : 'primary'} disabled={isPending} onClick={onDone}>
        {isPossible ? 'Later' : 'Open the studio'}
      </Button>
    </div>
  );
}
