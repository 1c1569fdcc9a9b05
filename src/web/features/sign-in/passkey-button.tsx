import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { signInWithPasskey } from '#web/api/session/passkeys.ts';
import { trackSignIn } from '#web/api/session/sign-in-attempts.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/field.tsx';

export function PasskeyButton({ is_main, onSignedIn }: { is_main: boolean; onSignedIn: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => trackSignIn(signInWithPasskey),
    retry: false,
    networkMode: 'always',
    onSuccess: onSignedIn,
  });
  return (
    <div className="flex flex-col gap-2">
      <Button
        variant={is_main ? 'primary' : 'secondary'}
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
