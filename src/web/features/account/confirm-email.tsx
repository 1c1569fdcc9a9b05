import { useConfirmEmail } from '#web/api/queries/account.ts';
import { clearLinkToken, useLinkToken } from '#web/api/session/link-token.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { showToast } from '#web/ui/toast-store.ts';

/** Confirms a new mail address, where the page was opened by the link that was mailed to it. */
export function ConfirmEmail() {
  const token = useLinkToken('/account');
  const { mutate, isPending, error } = useConfirmEmail();
  if (token === null) return null;
  const confirm = () =>
    mutate(token, {
      onSuccess: ({ email }) => {
        clearLinkToken();
        showToast({ title: 'Mail address confirmed', detail: email ?? undefined, tone: 'good' });
      },
    });
  return (
    <Callout
      tone={error ? 'bad' : 'amber'}
      title={error ? 'Your mail address is not confirmed' : 'Confirm your new mail address'}
      action={
        <div className="flex gap-2">
          <Button size="sm" onClick={clearLinkToken}>
            {error ? 'Close' : 'Not now'}
          </Button>
          {error ? null : (
            <Button size="sm" variant="primary" busy={isPending} onClick={confirm}>
              Confirm
            </Button>
          )}
        </div>
      }
    >
      {error ? error.message : 'It replaces the present one. Sign-in links then go to the new address.'}
    </Callout>
  );
}
