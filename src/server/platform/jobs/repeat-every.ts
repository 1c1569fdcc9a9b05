import type { Deps } from '#server/platform/deps.ts';

export function repeatEvery({ log }: Deps, intervalMs: number, chore: () => Promise<unknown>): () => Promise<void> {
  let underWay: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    underWay ??= chore()
      .catch((error: unknown) => log.error({ err: error }, 'worker task failed'))
      .finally(() => {
        underWay = undefined;
      });
  }, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
