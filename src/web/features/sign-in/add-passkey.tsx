import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { signInMethodsQuery, useAddPasskey } from '#web/api/queries/account.ts';
import { describeBrowser } from '#web/api/describe-browser.ts';
import { hasPasskeySupport } from '#web/api/session/passkeys.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/field.tsx';

/** Offers a passkey after the first sign-in. */
export function AddPasskey({ onDone }: { onDone: () => void }) {
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
