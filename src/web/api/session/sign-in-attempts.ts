import { createAtom, useSelector } from '@tanstack/react-store';

const attempts = createAtom(0);

/** Runs a sign-in that the person started. Passkeys are not offered in a field meanwhile. */
export async function trackSignIn<T>(signIn: () => Promise<T>): Promise<T> {
  attempts.set((count) => count + 1);
  try {
    return await signIn();
  } finally {
    attempts.set((count) => count - 1);
  }
}

export const useIsSigningIn = (): boolean => useSelector(attempts, (count) => count > 0);
