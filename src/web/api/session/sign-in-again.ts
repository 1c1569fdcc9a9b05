import { createAtom, useSelector } from '@tanstack/react-store';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { meQuery } from '../queries/me.ts';
import { onSessionChange } from './session.ts';

const requested = createAtom(false);
onSessionChange(() => requested.set(false));

/** Opens the dialog that signs in again, over the page and what was typed there. */
export const requestSignInAgain = (): void => requested.set(true);
export const cancelSignInAgain = (): void => requested.set(false);
export const useIsSignInAgainRequested = (): boolean => useSelector(requested);

/** Whether the sign-in is recent enough to change passkeys and the mail address; true while that is unknown. */
export function useHasRecentSignIn(): boolean {
  const until = useQuery(meQuery).data?.recent_sign_in_until;
  const [now, setNow] = useState(Date.now);
  const leftMs = typeof until === 'string' ? Date.parse(until) - now : 0;
  useEffect(() => {
    if (leftMs <= 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), leftMs);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return until === undefined || leftMs > 0;
}
