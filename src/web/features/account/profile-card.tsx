import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import type { Me } from '#contract/resources/api-key.ts';
import { ApiError } from '#web/api/api-errors.ts';
import {
  useUpdateProfile,
  resendEmailConfirmation,
  signInMethodsQuery,
  useCancelPendingEmail,
} from '#web/api/queries/account.ts';
import { requestSignInAgain, useHasRecentSignIn } from '#web/api/session/sign-in-again.ts';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Avatar } from '#web/ui/display/avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Callout } from '#web/ui/display/callout.tsx';

type CurrentPerson = NonNullable<Me['person']>;
interface Profile {
  name: string;
  email: string;
}

/** What was typed and not saved yet. */
const drafts = createDraftStorage<Profile>('profile', 1);

export function ProfileCard({ person }: { person: CurrentPerson }) {
  const { mutateAsync: update } = useUpdateProfile();
  const isRecent = useHasRecentSignIn();
  const { register, handleSubmit, setError, getValues, reset, formState } = useForm({
    defaultValues: { name: person.name, email: person.email ?? '' },
  });
  const { errors, isSubmitting, isDirty } = formState;
  useEffect(() => {
    const draft = drafts.get(person.id);
    if (draft) reset(draft, { keepDefaultValues: true });
  }, [person.id, reset]);
  const { label, description } = ROLE_LABELS[person.role];
  const submit = handleSubmit(async ({ name, email }) => {
    try {
      const { pending_email } = await update({ name: name.trim(), email: email.trim() || null });
      const isNew = pending_email != null && pending_email !== person.pending_email;
      showToast({ title: isNew ? 'Saved. Confirm your new mail address' : 'Saved', tone: 'good' });
      drafts.delete(person.id);
      reset({ name: name.trim(), email: isNew ? (person.email ?? '') : email.trim() });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) requestSignInAgain();
      const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
      const [detail] = error instanceof ApiError ? error.details : [];
      const isEmail = detail?.path === 'email' || (error instanceof ApiError && error.code === 'email_taken');
      const field = isEmail ? 'email' : detail?.path === 'name' ? 'name' : 'root.server';
      setError(field, { type: 'server', message: detail?.message ?? message });
    }
  });
  return (
    <form noValidate onChange={() => drafts.set(person.id, getValues())} onSubmit={(event) => void submit(event)}>
      <Card
        title="Profile"
        description="Your name is shown beside your work."
        footer={
          <Button type="submit" variant="primary" busy={isSubmitting} disabled={!isDirty}>
            Save
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-3">
            <Avatar id={person.id} name={person.name} size="lg" />
            <p className="min-w-0">
              <span className="block truncate font-medium">{label}</span>
              <span className="block text-sm text-ink-3">{description}</span>
            </p>
          </div>
          <Field label="Name" error={errors.name?.message}>
            <TextInput
              {...register('name', { validate: (name) => name.trim() !== '' || 'Enter your name.' })}
              maxLength={80}
              autoComplete="name"
            />
          </Field>
          <Field
            label="Mail address"
            error={errors.email?.message}
            hint="To get sign-in links."
            aside={
              isRecent ? null : (
                <button
                  type="button"
                  className="font-medium text-ink underline underline-offset-2"
                  onClick={requestSignInAgain}
                >
                  Sign in again to change this
                </button>
              )
            }
          >
            <TextInput
              type="email"
              {...register('email')}
              readOnly={!isRecent && !formState.dirtyFields.email}
              autoComplete="email"
              autoCapitalize="none"
            />
          </Field>
          {person.pending_email ? <PendingEmail email={person.pending_email} /> : null}
          <div role="alert" className="empty:hidden">
            <ErrorText>{errors.root?.['server']?.message}</ErrorText>
          </div>
        </div>
      </Card>
    </form>
  );
}

/** A new mail address that is not in force yet. */
function PendingEmail({ email }: { email: string }) {
  const isMailed = useQuery(signInMethodsQuery).data?.mail === true;
  const resend = useMutation(resendEmailConfirmation);
  const cancel = useCancelPendingEmail();
  const onError = ({ message }: Error) => showToast({ title: message, tone: 'bad' });
  return (
    <Callout
      title={`Waiting for confirmation at ${email}`}
      action={
        <div className="flex gap-2">
          {isMailed ? (
            <Button
              size="sm"
              busy={resend.isPending}
              onClick={() =>
                resend.mutate(undefined, {
                  onSuccess: () => showToast({ title: 'Mail sent', detail: email, tone: 'good' }),
                  onError,
                })
              }
            >
              Send again
            </Button>
          ) : null}
          <Button
            size="sm"
            aria-label="Cancel the new mail address"
            busy={cancel.isPending}
            onClick={() => cancel.mutate(undefined, { onError })}
          >
            Cancel
          </Button>
        </div>
      }
    >
      {isMailed
        ? 'Open the link in that mail in this browser. Until then nothing changes.'
        : 'This service sends no mail, so an administrator confirms the address on the server. Until then nothing changes.'}
    </Callout>
  );
}
