import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { PasskeyRequestOptions } from '#contract/resources/passkey.ts';
import { api } from '../api.ts';
import { openSession } from './open-session.ts';

/** The calls of the browser and the service, replaced in tests. */
export interface AutofillSteps {
  isSupported: () => Promise<boolean>;
  loadOptions: (signal: AbortSignal) => Promise<PasskeyRequestOptions>;
  requestCredential: (options: PasskeyRequestOptions) => Promise<AuthenticationResponseJSON>;
  cancelRequest: () => void;
  signIn: (credential: AuthenticationResponseJSON) => Promise<void>;
  waitUntilVisible: (signal: AbortSignal) => Promise<void>;
}

const STEPS: AutofillSteps = {
  isSupported: browserSupportsWebAuthnAutofill,
  loadOptions: (signal) => api.call('start_passkey_sign_in', { signal }),
  requestCredential: (optionsJSON) => startAuthentication({ optionsJSON, useBrowserAutofill: true }),
  cancelRequest: () => WebAuthnAbortService.cancelCeremony(),
  signIn: (credential) => openSession('sign_in_with_passkey', { body: { credential } }),
  waitUntilVisible: (signal) =>
    new Promise((resolve) => {
      const check = () => {
        if (document.visibilityState === 'hidden' && !signal.aborted) return;
        document.removeEventListener('visibilitychange', check);
        resolve();
      };
      document.addEventListener('visibilitychange', check);
      signal.addEventListener('abort', check, { once: true });
      check();
    }),
};

/** A new challenge is used this long before the old one expires: confirming a passkey takes a while. */
export const RENEWAL_MARGIN_MS = 60_000;

interface AutofillOptions {
  signal: AbortSignal;
  onSignedIn: () => void;
  /** Called if the service did not accept the passkey that the person chose. */
  onError: (message: string) => void;
}

/**
 * Offers passkeys in the suggestions of the mail field until `signal` is aborted. Does nothing where the browser cannot,
 * or while the person ignores it.
 */
export async function offerPasskeys({ signal, onSignedIn, onError }: AutofillOptions, steps = STEPS): Promise<void> {
  const credential = await requestCredential(signal, steps).catch(() => null);
  if (credential === null || signal.aborted) return;
  try {
    await steps.signIn(credential);
    if (!signal.aborted) onSignedIn();
  } catch (error) {
    if (!signal.aborted) onError(error instanceof Error ? error.message : 'Something went wrong. Try again.');
  }
}

/** @returns null if aborted @throws if the browser or the service did not cooperate */
async function requestCredential(
  signal: AbortSignal,
  steps: AutofillSteps,
): Promise<AuthenticationResponseJSON | null> {
  if (!(await steps.isSupported())) return null;
  for (;;) {
    await steps.waitUntilVisible(signal);
    if (signal.aborted) return null;
    const options = await steps.loadOptions(signal);
    if (signal.aborted) return null;
    const credential = await requestBeforeExpiry(options, signal, steps);
    if (credential !== 'expired') return credential;
  }
}

async function requestBeforeExpiry(
  options: PasskeyRequestOptions,
  signal: AbortSignal,
  steps: AutofillSteps,
): Promise<AuthenticationResponseJSON | 'expired'> {
  let isPending = true;
  let isExpired = false;
  // The library starts the request after the same check. To cancel earlier would miss it, and another request must not
  // be canceled in its place.
  const cancel = async () => {
    await steps.isSupported();
    if (isPending) steps.cancelRequest();
  };
  const onAbort = () => void cancel();
  const timer = setTimeout(() => {
    isExpired = true;
    void cancel();
  }, options.timeout - RENEWAL_MARGIN_MS);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await steps.requestCredential(options);
  } catch (error) {
    if (isExpired) return 'expired';
    throw error;
  } finally {
    isPending = false;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
