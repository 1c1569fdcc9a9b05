import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AutofillSteps, offerPasskeys, RENEWAL_MARGIN_MS } from './passkey-autofill.ts';

const TIMEOUT_MS = 300_000;
type Credential = Awaited<ReturnType<AutofillSteps['requestCredential']>>;
const CREDENTIAL = { id: 'passkey' } as Credential;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(overrides: Partial<AutofillSteps> = {}) {
  const controller = new AbortController();
  const request = { current: Promise.withResolvers<Credential>() };
  let challenges = 0;
  const steps = {
    isSupported: vi.fn(async () => true),
    loadOptions: vi.fn(async () => ({
      challenge: `challenge-${(challenges += 1)}`,
      rpId: 'studio.example.com',
      timeout: TIMEOUT_MS,
      userVerification: 'required' as const,
    })),
    requestCredential: vi.fn((_options: Parameters<AutofillSteps['requestCredential']>[0]) => {
      request.current = Promise.withResolvers();
      return request.current.promise;
    }),
    cancelRequest: vi.fn(() => request.current.reject(new DOMException('Canceled', 'AbortError'))),
    signIn: vi.fn(async (_credential: Credential) => undefined),
    waitUntilVisible: vi.fn(async () => undefined),
  } satisfies AutofillSteps;
  Object.assign(steps, overrides);
  const [onSignedIn, onError] = [vi.fn<() => void>(), vi.fn<(message: string) => void>()];
  const done = offerPasskeys({ signal: controller.signal, onSignedIn, onError }, steps);
  const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { controller, request, steps, onSignedIn, onError, done, advance };
}

describe('offerPasskeys', () => {
  it('signs in with the passkey that the person chooses', async () => {
    const { request, steps, onSignedIn, onError, done, advance } = setUp();
    await advance(0);
    request.current.resolve(CREDENTIAL);
    await done;
    expect(steps.signIn).toHaveBeenCalledExactlyOnceWith(CREDENTIAL);
    expect(onSignedIn).toHaveBeenCalledOnce();
    expect(onError).not.toHaveBeenCalled();
  });

  it('asks for no challenge where the browser cannot offer passkeys in a field', async () => {
    const { steps, done } = setUp({ isSupported: async () => false });
    await done;
    expect(steps.loadOptions).not.toHaveBeenCalled();
  });

  it('renews the challenge before it expires, as long as the person ignores it', async () => {
    const { controller, request, steps, onError, done, advance } = setUp();
    await advance(TIMEOUT_MS - RENEWAL_MARGIN_MS - 1);
    expect(steps.requestCredential).toHaveBeenCalledTimes(1);
    await advance(1);
    await advance(TIMEOUT_MS - RENEWAL_MARGIN_MS);
    const challenges = steps.requestCredential.mock.calls.map(([{ challenge }]) => challenge);
    expect(challenges).toEqual(['challenge-1', 'challenge-2', 'challenge-3']);
    request.current.resolve(CREDENTIAL);
    await done;
    expect(steps.signIn).toHaveBeenCalledOnce();
    controller.abort();
    await advance(TIMEOUT_MS);
    expect(steps.loadOptions).toHaveBeenCalledTimes(3);
    expect(onError).not.toHaveBeenCalled();
  });

  it('renews the challenge of a hidden page once it is visible again', async () => {
    const visible = Promise.withResolvers<undefined>();
    const waitUntilVisible = vi.fn(() => visible.promise).mockResolvedValueOnce(undefined);
    const { steps, advance } = setUp({ waitUntilVisible });
    await advance(TIMEOUT_MS);
    expect(steps.loadOptions).toHaveBeenCalledTimes(1);
    visible.resolve(undefined);
    await advance(0);
    expect(steps.loadOptions).toHaveBeenCalledTimes(2);
  });

  it('cancels the request in silence when another sign-in starts', async () => {
    const { controller, steps, onSignedIn, onError, done, advance } = setUp();
    await advance(0);
    controller.abort();
    await done;
    expect(steps.cancelRequest).toHaveBeenCalledOnce();
    expect([steps.signIn.mock.calls, onSignedIn.mock.calls, onError.mock.calls].flat()).toEqual([]);
    await advance(TIMEOUT_MS);
    expect(steps.loadOptions).toHaveBeenCalledTimes(1);
  });

  it('leaves the request alone that replaced its own', async () => {
    const { controller, request, steps, done, advance } = setUp();
    await advance(0);
    request.current.reject(new DOMException('Replaced', 'AbortError'));
    await done;
    controller.abort();
    await advance(TIMEOUT_MS);
    expect(steps.cancelRequest).not.toHaveBeenCalled();
    expect(steps.loadOptions).toHaveBeenCalledTimes(1);
  });

  it('is silent when no challenge can be loaded', async () => {
    const { steps, onError, done } = setUp({ loadOptions: () => Promise.reject(new Error('Offline')) });
    await done;
    expect(steps.requestCredential).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });

  it('reports a chosen passkey that the service does not accept, unless another sign-in started', async () => {
    const signIn = () => Promise.reject(new Error('Unknown passkey.'));
    const refused = setUp({ signIn });
    await refused.advance(0);
    refused.request.current.resolve(CREDENTIAL);
    await refused.done;
    expect(refused.onError).toHaveBeenCalledExactlyOnceWith('Unknown passkey.');

    const replaced = setUp({ signIn });
    await replaced.advance(0);
    replaced.request.current.resolve(CREDENTIAL);
    replaced.controller.abort();
    await replaced.done;
    expect(replaced.onError).not.toHaveBeenCalled();
  });
});
