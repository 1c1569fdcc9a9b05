import { api } from '../api.ts';
import { openSession } from './open-session.ts';

/** Loaded when a passkey is used: most visits need none. */
const loadClient = () => import('@simplewebauthn/browser');

export const hasPasskeySupport = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** A sentence for the person about why the browser or the authenticator did not finish. */
class PasskeyError extends Error {}

const MESSAGES_BY_NAME: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey was not used. The dialog was closed, or it took too long. Try again.',
  InvalidStateError: 'This device already has a passkey for you here.',
  SecurityError: 'Passkeys do not work at this address. Open the studio by its host name, with HTTPS.',
  NotSupportedError: 'This device cannot create a passkey. Try another one.',
};

async function withAuthenticator<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new PasskeyError(MESSAGES_BY_NAME[name] ?? 'The passkey could not be used. Try again.', { cause: error });
  }
}

/**
 * Signs in with a passkey that the person chooses in a dialog of the browser.
 * @throws {PasskeyError} @throws {ApiError} @throws {NetworkError}
 */
export async function signInWithPasskey(): Promise<void> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([loadClient(), api.call('start_passkey_sign_in')]);
  const credential = await withAuthenticator(() => startAuthentication({ optionsJSON }));
  await openSession('sign_in_with_passkey', { body: { credential } });
}

/** @throws {PasskeyError} @throws {ApiError} @throws {NetworkError} */
export async function registerPasskey(name: string) {
  const [{ startRegistration }, optionsJSON] = await Promise.all([
    loadClient(),
    api.call('start_passkey_registration'),
  ]);
  const credential = await withAuthenticator(() => startRegistration({ optionsJSON }));
  return api.call('create_passkey', { body: { name, credential } });
}
