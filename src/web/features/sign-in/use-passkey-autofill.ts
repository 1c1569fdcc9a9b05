import { useEffect, useEffectEvent } from 'react';
import { useIsSigningIn } from '#web/api/session/sign-in-attempts.ts';

interface PasskeyAutofill {
  enabled: boolean;
  onSignedIn: () => void;
  onError: (message: string) => void;
}

/** Offers passkeys in the suggestions of the mail field while `enabled` and no other sign-in is under way. */
export function usePasskeyAutofill({ enabled, ...options }: PasskeyAutofill): void {
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
