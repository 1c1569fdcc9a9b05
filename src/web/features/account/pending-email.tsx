import { useMutation, useQuery } from '@tanstack/react-query';
import { resendEmailConfirmation, signInMethodsQuery, useCancelPendingEmail } from '#web/api/queries/account.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { showToast } from '#web/ui/toast-store.ts';

/** A new mail address that is not in force yet. */
export function PendingEmail({ email }: { email: string }) {
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
