import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ShutdownError, isShutdownError } from './shutdown-error.ts';

it('recognizes the reason of a shutdown and what it aborts', async () => {
  const signal = AbortSignal.abort(new ShutdownError());
  expect(isShutdownError(signal.reason)).toBe(true);
  expect(isShutdownError(await delay(1, undefined, { signal }).catch((error: unknown) => error))).toBe(true);
  const other = AbortSignal.abort(new Error('The client is gone.'));
  expect(isShutdownError(await delay(1, undefined, { signal: other }).catch((error: unknown) => error))).toBe(false);
  expect(isShutdownError(undefined)).toBe(false);
});
